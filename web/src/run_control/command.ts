// The command of a form, as a person would type it. The server makes the one that really runs.

import type { StartJob } from "../api";

export type Values = Readonly<Record<string, string | boolean>>;

const COMMANDS: Readonly<Record<string, string>> = { ablation: "ablate", bench: "bench run" };

export function commandOf(job: StartJob, values: Values): string {
  const words = [`assay ${COMMANDS[job.job] ?? job.job}`];
  let path = "";
  for (const { name, kind } of job.fields) {
    const value = values[name];
    if (value === undefined || value === "" || value === false) continue;
    if (name === "path") path = quoted(String(value));
    else if (kind === "settings") words.push(...linesOf(String(value)).map((line) => `${flag(name)}=${quoted(line)}`));
    else if (kind === "switch") words.push(flag(name));
    else words.push(`${flag(name)}=${quoted(String(value))}`);
  }
  return [...words, path].filter(Boolean).join(" ");
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter(Boolean);
}

function flag(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** A word of a shell; one with anything unusual in it is put in quotation marks. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
