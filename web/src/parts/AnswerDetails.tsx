// Scores with their reasons, stages, cost, and the recorded row of an answer.

import type { AnswerView, ItemView, RunView } from "../api";
import { Verdicts } from "../judge/Verdicts";
import { useSettings } from "../state/settings";
import { count, duration, money, UNDEFINED } from "../text/number";
import { said } from "../words";
import { PlainText } from "./PlainText";
import { RawRow } from "./RawRow";
import { TableFrame } from "./TableFrame";

interface Props {
  readonly run: RunView;
  readonly item: ItemView;
  readonly answer: AnswerView;
  readonly baseline: AnswerView | undefined;
}

export function AnswerDetails({ run, item, answer, baseline }: Props) {
  return (
    <div class="details">
      <Scores answer={answer} baseline={baseline} />
      <Verdicts answer={answer} />
      <Stages answer={answer} />
      <Bill answer={answer} />
      <RawRow key={`${item.item} ${answer.variant}`} run={run.card.id} item={item.id} variant={answer.variant} />
    </div>
  );
}

function Scores({ answer, baseline }: Pick<Props, "answer" | "baseline">) {
  const { language, words } = useSettings();
  if (!answer.scores.length)
    return (
      <section>
        <h2>{words.question.scores}</h2>
        <p class="empty">{words.question.noScores}</p>
      </section>
    );
  const before = new Map(baseline?.scores.map((score) => [score.name, score.value]));
  return (
    <section>
      <h2>{words.question.scores}</h2>
      <TableFrame label={words.question.scores}>
        <table class="scores">
          <thead>
            <tr>
              <th scope="col">{words.question.score_}</th>
              {baseline && (
                <th scope="col" class="right">
                  <PlainText text={baseline.variant} />
                </th>
              )}
              <th scope="col" class="right">
                <PlainText text={baseline ? answer.variant : words.question.value} />
              </th>
              <th scope="col">{words.question.reason}</th>
            </tr>
          </thead>
          <tbody>
            {answer.scores.map((score) => (
              <tr>
                <th scope="row">{said(score.title, language)}</th>
                {baseline && <td class="right number faint">{before.get(score.name) ?? UNDEFINED}</td>}
                <td class="right number">
                  <PlainText text={score.value} />
                </td>
                <td class="reason">
                  <PlainText text={said(score.reason, language)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

function Stages({ answer }: { answer: AnswerView }) {
  const { language, words } = useSettings();
  if (!answer.stages.length) return null;
  return (
    <section>
      <h2>{words.question.stages}</h2>
      <TableFrame label={words.question.stages}>
        <table class="stages">
          <thead>
            <tr>
              <th scope="col">{words.question.stage}</th>
              <th scope="col" class="right">
                {words.question.time}
              </th>
              <th scope="col">{words.question.kept}</th>
            </tr>
          </thead>
          <tbody>
            {answer.stages.map((stage) => (
              <tr class={stage.skipped !== null ? "faint" : ""}>
                <th scope="row">
                  <PlainText text={stage.name} />
                </th>
                <td class="right number">{duration(stage.elapsed_s, language)}</td>
                <td class="reason">
                  <PlainText text={stage.skipped !== null ? words.question.skippedStage.replace("{reason}", () => stage.skipped ?? "") : factsOf(stage.detail)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

/** What a stage kept, without the brackets of JSON if it is an object. */
function factsOf(detail: string): string {
  let data: unknown;
  try {
    data = JSON.parse(detail);
  } catch {
    return detail;
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) return detail;
  const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.entries(data)
    .map(([name, value]) => `${name}: ${written(value)}`)
    .join(" · ");
}

function Bill({ answer }: { answer: AnswerView }) {
  const { language, words } = useSettings();
  const facts: [string, string][] = [
    [
      words.question.latency,
      duration(answer.elapsed_s, language) + (answer.is_first_in_flight ? ` (${words.question.firstInFlight})` : ""),
    ],
    [words.question.cost, money(answer.cost, language)],
    [words.question.tokens, answer.tokens ? answer.tokens.map((number) => count(number, language)).join(", ") : UNDEFINED],
    [words.question.attempts, count(answer.attempts, language)],
  ];
  return (
    <section>
      <h2>{words.question.cost}</h2>
      <dl class="bill">
        {facts.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
