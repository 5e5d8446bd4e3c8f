// Writes app.js and app.css into the Python package, or into the folder in ASSAY_BUNDLE_DIR.
// With --tests it bundles the unit tests into build/test instead, and runs them.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const shared = {
  bundle: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  target: ["chrome111", "firefox115", "safari16.4"],
  logLevel: "warning",
  absWorkingDir: here,
};

if (process.argv.includes("--tests")) {
  rmSync(join(here, "build", "test"), { recursive: true, force: true });
  const tests = readdirSync(join(here, "test")).filter((name) => /\.test\.tsx?$/.test(name));
  await build({
    ...shared,
    entryPoints: tests.map((name) => join("test", name)),
    outdir: "build/test",
    platform: "node",
    target: "node20",
    format: "esm",
    external: ["eslint"],
  });
  const files = tests.map((name) => join(here, "build", "test", name.replace(/\.tsx?$/, ".js")));
  const { status } = spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...files], { cwd: here, stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  await build({
    ...shared,
    entryPoints: { app: "src/main.tsx" },
    outdir: process.env.ASSAY_BUNDLE_DIR ?? join(here, "..", "src", "assay", "web", "bundle"),
    format: "iife",
    minify: true,
    legalComments: "none",
    charset: "utf8",
    define: { "process.env.NODE_ENV": '"production"' },
  });
}
