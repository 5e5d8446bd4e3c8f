// Scores with their reasons, stages, cost, and the recorded row of an answer.

import type { AnswerView, ItemView, RunView, ScoreView } from "../api";
import { Verdicts } from "../judge/Verdicts";
import { useSettings } from "../state/settings";
import { factsOf } from "../text/fact";
import { MISSING } from "../look";
import { count, duration, money } from "../text/number";
import { show, t, tn } from "../words";
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
  if (!answer.scores.length)
    return (
      <section>
        <h2>{t("Scores")}</h2>
        <p class="empty">{t("Nothing was scored.")}</p>
      </section>
    );
  const before = new Map(baseline?.scores.map((score) => [score.name, score.value]));
  const isDefined = ({ name, value }: ScoreView): boolean => value !== MISSING || (before.get(name) ?? MISSING) !== MISSING;
  const shown = answer.scores.filter(isDefined);
  return (
    <section>
      <h2>{t("Scores")}</h2>
      <TableFrame label={t("Scores")}>
        <table class="scores">
          <thead>
            <tr>
              <th scope="col">{t("Score")}</th>
              {baseline && (
                <th scope="col" class="right">
                  <PlainText text={baseline.variant} />
                </th>
              )}
              <th scope="col" class="right">
                <PlainText text={baseline ? answer.variant : t("Value")} />
              </th>
              <th scope="col">{t("Reason")}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((score) => (
              <tr key={score.name}>
                <th scope="row">{show(score.title)}</th>
                {baseline && <td class="right number faint">{before.get(score.name) ?? MISSING}</td>}
                <td class="right number">
                  <PlainText text={score.value} />
                </td>
                <td class="reason">
                  {score.unsure && (
                    <strong class="unsure">
                      <PlainText text={show(score.unsure)} />
                    </strong>
                  )}
                  <PlainText text={show(score.reason)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <Undefined scores={answer.scores.filter((score) => !isDefined(score))} />
    </section>
  );
}

/** The scores that this question has none of, with the reason; folded, because there may be many. */
function Undefined({ scores }: { scores: readonly ScoreView[] }) {
  if (!scores.length) return null;
  return (
    <details class="undefined-scores">
      <summary>{tn("{n} score is not defined here", "{n} scores are not defined here", scores.length)}</summary>
      <ul>
        {scores.map((score) => (
          <li key={score.name}>
            {show(score.title)} – <PlainText text={show(score.reason)} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Stages({ answer }: { answer: AnswerView }) {
  const { language } = useSettings();
  if (!answer.stages.length) return null;
  return (
    <section>
      <h2>{t("Stages")}</h2>
      <TableFrame label={t("Stages")}>
        <table class="stages">
          <thead>
            <tr>
              <th scope="col">{t("Stage")}</th>
              <th scope="col" class="right">
                {t("Time")}
              </th>
              <th scope="col">{t("What it kept")}</th>
            </tr>
          </thead>
          <tbody>
            {answer.stages.map((stage, at) => (
              <tr key={at} class={stage.skipped !== null ? "faint" : ""}>
                <th scope="row">
                  <PlainText text={stage.name} />
                </th>
                <td class="right number">{duration(stage.elapsed_s, language)}</td>
                <td class="reason">
                  <PlainText text={stage.skipped !== null ? t("skipped: {reason}", { reason: stage.skipped }) : factsOf(stage.detail, language)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

function Bill({ answer }: { answer: AnswerView }) {
  const { language } = useSettings();
  const facts: [string, string][] = [
    [
      t("Time to answer"),
      duration(answer.elapsed_s, language) + (answer.is_first_in_flight ? ` (${t("asked first, start-up time may be in it")})` : ""),
    ],
    [t("Cost"), money(answer.cost, language)],
    [t("Tokens in, out"), answer.tokens ? answer.tokens.map((number) => count(number, language)).join(", ") : MISSING],
    [t("Attempts"), count(answer.attempts, language)],
  ];
  return (
    <section>
      <h2>{t("Cost")}</h2>
      <dl class="bill">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
