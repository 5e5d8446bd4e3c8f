import assert from "node:assert/strict";
import { test } from "node:test";
import { ESLint } from "eslint";

const PAGE = `import { useState } from "preact/hooks";
export function Names({ names }: { names: string[] }) {
  return (
    <ul>
      {names.map((name) => <li key={name}><b>{name}</b></li>)}
      {LIST}
    </ul>
  );
}
`;

async function found(list: string): Promise<string[]> {
  const [result] = await new ESLint().lintText(PAGE.replace("LIST", list), { filePath: "src/App.tsx" });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId ?? "").filter((rule) => !rule.endsWith("no-unused-vars"));
}

test("a list without keys and a hook in a loop are found", async () => {
  assert.deepEqual(await found("null"), []);
  for (const list of [
    "names.map((name) => <li>{name}</li>)",
    "names.map((name) => <>{name}</>)",
    "names.map((name) => (name ? <li>{name}</li> : null))",
    "names.map((name) => { const shown = name.trim(); return <li>{shown}</li>; })",
    "[<li />]",
  ])
    assert.deepEqual(await found(list), ["no-restricted-syntax"], list);
  assert.deepEqual(await found("names.map((name) => <li key={name}>{useState(name)[0]}</li>)"), ["react-hooks/rules-of-hooks"]);
});
