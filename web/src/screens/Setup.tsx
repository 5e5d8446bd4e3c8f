// What was run on what, and the command that repeats it.

import { MISSING } from "../look";
import { useState } from "preact/hooks";
import type { RunView } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { useSettings } from "../state/settings";
import { factValue, said } from "../words";

export function Setup({ run }: { run: RunView }) {
  const { language, words } = useSettings();
  const [isHeader, setHeader] = useState(false);
  return (
    <>
      {run.setup.command && (
        <section>
          <h2>{words.setup.command}</h2>
          <CopyLine command={run.setup.command} />
        </section>
      )}
      <section>
        <h2>{words.setup.facts}</h2>
        <dl class="facts-list">
          {run.setup.facts.map(([name, value], at) => (
            <div key={at}>
              <dt>{said(name, language)}</dt>
              <dd>
                <PlainText text={factValue(value, language)} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Settings run={run} />
      <section>
        <details onToggle={(event) => setHeader(event.currentTarget.open)}>
          <summary>{words.setup.header}</summary>
          {isHeader && (
            <pre class="raw" tabIndex={0}>
              <PlainText text={JSON.stringify(run.setup.header, null, 2)} />
            </pre>
          )}
        </details>
      </section>
    </>
  );
}

function Settings({ run }: { run: RunView }) {
  const { words } = useSettings();
  const names = [...new Set(run.variants.flatMap(({ settings }) => Object.keys(settings)))];
  const written = (variant: number, name: string): string => shown(run.variants[variant]?.settings[name]);
  const differs = (name: string): boolean => run.variants.some((_, n) => written(n, name) !== written(0, name));
  const differing = names.filter(differs);
  const shared = names.filter((name) => !differs(name));
  return (
    <>
      {differing.length > 0 && (
        <section>
          <h2>{words.setup.settingsDiffer}</h2>
          <TableFrame label={words.setup.settingsDiffer}>
            <table class="report">
              <thead>
                <tr>
                  <th scope="col" class="sticky">
                    {words.run.variant}
                  </th>
                  {differing.map((name) => (
                    <th key={name} scope="col" class="right">
                      <code>{name}</code>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {run.variants.map((variant, n) => (
                  <tr key={variant.name}>
                    <th scope="row" class="sticky">
                      <PlainText text={variant.name} />
                    </th>
                    {differing.map((name) => (
                      <td key={name} class="right number">
                        <PlainText text={written(n, name)} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        </section>
      )}
      {shared.length > 0 && (
        <section>
          <h2>{differing.length ? words.setup.settingsSame : words.setup.settings}</h2>
          <dl class="facts-list">
            {shared.map((name) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  <PlainText text={written(0, name)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

function shown(value: unknown): string {
  if (value === undefined) return MISSING;
  return typeof value === "string" ? value : JSON.stringify(value);
}
