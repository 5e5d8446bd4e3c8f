// The tables of the report, as people read them.

import type { RunView, TableView } from "../api";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { show, t } from "../words";
import { markWord } from "../parts/MetricTable";

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

function ReportTable({ table }: { table: TableView }) {
  const title = show(table.title);
  return (
    <section>
      <h2>
        <PlainText text={title} />
      </h2>
      <TableFrame label={title} columns={table.columns.length}>
        <table class="report">
          <thead>
            <tr>
              {table.columns.map((column, index) => (
                <th key={index} scope="col" class={index ? "right" : "sticky"}>
                  <PlainText text={show(column)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, rowIndex) => (
              <tr key={rowIndex}>
                {row.map((text, index) => (
                  <ReportCell key={index} text={typeof text === "string" ? text : show(text)} mark={table.marks[rowIndex]?.[index] ?? ""} isFirst={index === 0} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {table.notes.map((note, at) => (
        <p key={at} class="note">
          <PlainText text={show(note)} />
        </p>
      ))}
    </section>
  );
}

/** A number and its interval, which stands below it so that more columns fit. */
const WITH_INTERVAL = /^(\S+) (\[[^\]]*\])$/;
/** A text that may be broken into lines; numbers stay whole. */
const WORDS = /\p{L}.*\s/u;

function ReportCell({ text, mark, isFirst }: { text: string; mark: string; isFirst: boolean }) {
  if (isFirst)
    return (
      <th scope="row" class="sticky">
        <PlainText text={text} />
      </th>
    );
  const name = mark === "best" || mark === "worst" ? mark : "";
  const [, number, interval] = WITH_INTERVAL.exec(text) ?? [];
  return (
    <td class={`right number ${name} ${WORDS.test(text) ? "words" : ""}`}>
      {name && (
        <span class="mark" title={markWord(name)}>
          <span aria-hidden="true">{name === "best" ? "▲" : "▽"}</span>
          <span class="unseen">{markWord(name)}</span>
        </span>
      )}
      <PlainText text={number ?? text} />
      {interval && <small>{interval}</small>}
    </td>
  );
}
