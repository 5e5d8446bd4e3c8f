// The tables of the report.

import type { RunView } from "../api";
import { ReportTable } from "../parts/ReportTable";
import { useSettings } from "../state/settings";

export function Tables({ run }: { run: RunView }) {
  const { words } = useSettings();
  if (!run.tables.length) return <p class="empty">{words.run.noTables}</p>;
  return (
    <>
      {run.tables.map((table, at) => (
        <ReportTable key={at} table={table} />
      ))}
    </>
  );
}
