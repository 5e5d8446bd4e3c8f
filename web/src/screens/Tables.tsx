// The tables of the report.

import type { RunView } from "../api";
import { ReportTable } from "../parts/ReportTable";
import { t } from "../words";

export function Tables({ run }: { run: RunView }) {
  if (!run.tables.length) return <p class="empty">{t("This run has no tables yet.")}</p>;
  return (
    <>
      {run.tables.map((table, at) => (
        <ReportTable key={at} table={table} />
      ))}
    </>
  );
}
