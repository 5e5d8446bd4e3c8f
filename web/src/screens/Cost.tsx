// What the run cost, by variant.

import type { RunView, VariantView } from "../api";
import { ChartFigure } from "../charts/ChartFigure";
import { COST_FIELDS, type CostField, costNames, MONEY } from "../charts/kinds/cost";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { useSettings } from "../state/settings";
import { count, duration, money } from "../text/number";
import { t } from "../words";

export function Cost({ run }: { run: RunView }) {
  const { language } = useSettings();
  const fields = COST_FIELDS.filter((field) => run.variants.some((variant) => variant[field] !== null));
  const chart = run.charts.find(({ kind }) => kind === "cost");
  const titles = costNames();
  const shown = (field: CostField, value: number | null): string =>
    MONEY.includes(field) ? money(value, language) : count(value, language);
  return (
    <>
      <section>
        <h2>{t("What it cost")}</h2>
        {fields.length > 0 ? (
          <TableFrame label={t("What it cost")}>
            <table class="report">
              <thead>
                <tr>
                  <th scope="col" class="sticky">
                    {t("Variant")}
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
                    {t("Sum")}
                  </th>
                  {fields.map((field) => (
                    <td key={field} class="right number">{shown(field, sumOf(run.variants, field))}</td>
                  ))}
                </tr>
              </tfoot>
            </table>
          </TableFrame>
        ) : (
          <p class="empty">{t("No call was charged: the system of this run reports no cost.")}</p>
        )}
        <p class="note">
          {t("Cost is what the calls would cost without the cache; paid is what was really spent.")} {t("Time")}: {duration(run.card.elapsed_s, language)}.
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
