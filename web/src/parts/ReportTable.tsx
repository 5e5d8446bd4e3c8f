// A table of the report, as people read it.

import type { TableView } from "../api";
import { show } from "../words";
import { markWord } from "./MetricTable";
import { PlainText } from "./PlainText";
import { TableFrame } from "./TableFrame";

export function ReportTable({ table }: { table: TableView }) {
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
