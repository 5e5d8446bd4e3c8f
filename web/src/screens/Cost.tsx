// What the run cost, by variant.

import type { RunView, VariantView } from "../api";
import { ChartFigure } from "../charts/ChartFigure";
import { COST_FIELDS, type CostField, costNames, MONEY } from "../charts/kinds/cost";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { useSettings } from "../state/settings";
import { count, duration, money } from "../text/number";

export function Cost({ run }: { run: RunView }) {
  const { language, words } = useSettings();
  const fields = COST_FIELDS.filter((field) => run.variants.some((variant) => variant[field] !== null));
  const chart = run.charts.find(({ kind }) => kind === "cost");
  const titles = costNames(words);
  const shown = (field: CostField, value: number | null): string =>
    MONEY.includes(field) ? money(value, language) : count(value, language);
  return (
    <>
      <section>
        <h2>{words.cost.title}</h2>
        {fields.length > 0 ? (
          <TableFrame label={words.cost.title}>
            <table class="report">
              <thead>
                <tr>
                  <th scope="col" class="sticky">
                    {words.run.variant}
                  </th>
                  {fields.map((field) => (
                    <th key={field} scope="col" class="right">
                      {titles[field]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {run.variants.map((variant) => (
                  <tr key={variant.name}>
                    <th scope="row" class="sticky">
                      <PlainText text={variant.name} />
                    </th>
                    {fields.map((field) => (
                      <td key={field} class="right number">{shown(field, variant[field])}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row" class="sticky">
                    {words.cost.sum}
                  </th>
                  {fields.map((field) => (
                    <td key={field} class="right number">{shown(field, sumOf(run.variants, field))}</td>
                  ))}
                </tr>
              </tfoot>
            </table>
          </TableFrame>
        ) : (
          <p class="empty">{words.cost.none}</p>
        )}
        <p class="note">
          {words.cost.note} {words.cost.time}: {duration(run.card.elapsed_s, language)}.
        </p>
      </section>
      {chart && <ChartFigure chart={chart} run={run} />}
    </>
  );
}

function sumOf(variants: readonly VariantView[], field: CostField): number | null {
  const known = variants.map((variant) => variant[field]).filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) : null;
}
