// A table of the report, as people read it.

import type { TableView } from "../api";
import { useSettings } from "../state/settings";
import { said } from "../words";
import { PlainText } from "./PlainText";
import { TableFrame } from "./TableFrame";

export function ReportTable({ table }: { table: TableView }) {
  const { language } = useSettings();
  const title = said(table.title, language);
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
                  <PlainText text={said(column, language)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, rowIndex) => (
              <tr key={rowIndex}>
                {row.map((text, index) => (
                  <ReportCell key={index} text={typeof text === "string" ? text : said(text, language)} mark={table.marks[rowIndex]?.[index] ?? ""} isFirst={index === 0} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {table.notes.map((note, at) => (
        <p key={at} class="note">
          <PlainText text={said(note, language)} />
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
  const { words } = useSettings();
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
        <span class="mark" title={words.run[name]}>
          <span aria-hidden="true">{name === "best" ? "▲" : "▽"}</span>
          <span class="unseen">{words.run[name]}</span>
        </span>
      )}
      <PlainText text={number ?? text} />
      {interval && <small>{interval}</small>}
    </td>
  );
}
