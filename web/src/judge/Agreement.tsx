// How far a judge agrees with people: its errors on labelled answers.

import type { JudgeGroup, JudgeView } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { t, tn } from "../words";
import { withInterval } from "./number";

export function Agreement({ judge, name }: { judge: JudgeView; name: string }) {
  const isOther = judge.rubric !== "correctness";
  return (
    <>
      <h3>{t("Agreement with people")}</h3>
      {judge.labelled ? (
        <Figures judge={judge} />
      ) : (
        <p class="faint">{isOther ? t("Labels of the page say whether answers are right. For this rubric give labels of your own in a file:") : t("Nobody has labelled an answer of this judge, so its errors are not known.")}</p>
      )}
      <LeftOut judge={judge} />
      {(isOther || judge.labelled > 0) && (
        <>
          {!isOther && <p class="note">{t("The same in a terminal:")}</p>}
          <CopyLine command={`assay judge check ${name} --judge ${judge.name}${isOther ? " --labels FILE" : ""}`} />
        </>
      )}
    </>
  );
}

function Figures({ judge }: { judge: JudgeView }) {
  const { language } = useSettings();
  const p = judge.errors_differ === null ? "" : judge.errors_differ.toFixed(3);
  return (
    <>
      <div class="judge-figures">
        <Matrix judge={judge} />
        <TableFrame label={`${t("Agreement with people")}: ${judge.name}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("Answers")}</th>
                {["n", t("Sensitivity"), t("Specificity"), t("Kappa")].map((title) => (
                  <th key={title} scope="col" class="right">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {judge.groups.map((group) => (
                <tr key={`${group.kind} ${group.name}`}>
                  <th scope="row">
                    <PlainText text={groupName(group)} />
                  </th>
                  <td class="right number">{count(group.labelled, language)}</td>
                  {[group.sensitivity, group.specificity].map((share, at) => (
                    <td key={at} class="right number">{withInterval(share.rate, share.interval, language)}</td>
                  ))}
                  <td class="right number">{withInterval(group.kappa, group.kappa_interval, language)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      </div>
      {p && (
        <p class={judge.is_biased ? "judge-biased" : "note"}>
          {judge.is_biased && <span aria-hidden="true">⚠ </span>}
          {judge.is_biased ? t("Its errors differ between the variants (p = {p}): a comparison by the judge alone is biased.", { p }) : t("No difference of its errors between the variants is shown (p = {p}); few labels show only large ones.", { p })}
        </p>
      )}
      <p class="note">{t("Sensitivity: of the answers that people call right, the share that the judge calls right. Specificity: of those that people call wrong, the share that the judge calls wrong. Kappa: agreement beyond chance, 1 is perfect.")}</p>
    </>
  );
}

const LANGUAGE_WORDS: Readonly<Record<string, () => string>> = { en: () => t("English"), zh: () => t("Chinese"), ru: () => t("Russian") };

/** Why labels are left out. */
function reasonWords(): Readonly<Record<string, string>> {
  return {
    by_hand: t("chosen by hand: their probability is not known, so they correct nothing"),
    undrawn: t("with a probability that no draw of this run gave the answer: as if chosen by hand"),
    unfinished: t("of an unfinished draw, behind an answer without a label in the order of the draw"),
    unclear: t("unclear"),
    outdated: t("about an earlier version of the answer"),
    other_runs: t("about other runs"),
    unjudged: t("about answers without a score of the judge"),
    unknown: t("about answers that the run does not have"),
  };
}

function groupName(group: JudgeGroup): string {
  if (group.kind === "all") return t("all");
  return group.kind === "language" ? (LANGUAGE_WORDS[group.name]?.() ?? group.name) : group.name;
}

function Matrix({ judge }: { judge: JudgeView }) {
  const { language } = useSettings();
  const [both, onlyJudge, onlyPeople, neither] = judge.matrix;
  return (
    <TableFrame label={`${t("Judge and people")}: ${judge.name}`}>
      <table class="judge-matrix">
        <caption class="unseen">{t("Judge and people")}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col" class="right">
              {t("people: right")}
            </th>
            <th scope="col" class="right">
              {t("people: wrong")}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t("judge: yes")}</th>
            <td class="right number">{count(both, language)}</td>
            <td class="right number opposite">{count(onlyJudge, language)}</td>
          </tr>
          <tr>
            <th scope="row">{t("judge: no")}</th>
            <td class="right number opposite">{count(onlyPeople, language)}</td>
            <td class="right number">{count(neither, language)}</td>
          </tr>
        </tbody>
      </table>
    </TableFrame>
  );
}

function LeftOut({ judge }: { judge: JudgeView }) {
  return (
    <>
      {Object.entries(judge.left_out).map(([reason, n]) => (
        <p key={reason} class="note">{tn("{n} label left out, {reason}", "{n} labels left out, {reason}", n, { reason: reasonWords()[reason] ?? reason })}</p>
      ))}
    </>
  );
}
