// What was run on what, and the command that repeats it.

import { MISSING } from "../look";
import { useState } from "preact/hooks";
import type { RunView } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { show, t } from "../words";

export function Setup({ run }: { run: RunView }) {
  const [isHeader, setHeader] = useState(false);
  return (
    <>
      {run.setup.command && (
        <section>
          <h2>{t("What was typed")}</h2>
          <CopyLine command={run.setup.command} />
        </section>
      )}
      <section>
        <h2>{t("What was run on what")}</h2>
        <dl class="facts-list">
          {run.setup.facts.map(([name, value], at) => (
            <div key={at}>
              <dt>{show(name)}</dt>
              <dd>
                <PlainText text={show(value)} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Settings run={run} />
      <section>
        <details onToggle={(event) => setHeader(event.currentTarget.open)}>
          <summary>{t("Recorded header, as it is")}</summary>
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
  const names = [...new Set(run.variants.flatMap(({ settings }) => Object.keys(settings)))];
  const written = (variant: number, name: string): string => shown(run.variants[variant]?.settings[name]);
  const differs = (name: string): boolean => run.variants.some((_, n) => written(n, name) !== written(0, name));
  const differing = names.filter(differs);
  const shared = names.filter((name) => !differs(name));
  return (
    <>
      {differing.length > 0 && (
        <section>
          <h2>{t("Settings that differ")}</h2>
          <TableFrame label={t("Settings that differ")}>
            <table class="report">
              <thead>
                <tr>
                  <th scope="col" class="sticky">
                    {t("Variant")}
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
          <h2>{differing.length ? t("Settings that all variants share") : t("Settings by variant")}</h2>
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
