// How far a judge agrees with people: its errors on labelled answers.

import type { JudgeGroup, JudgeView } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { PlainText } from "../parts/PlainText";
import { TableFrame } from "../parts/TableFrame";
import { useSettings } from "../state/settings";
import { count } from "../text/number";
import { fill, plural } from "../words";
import { withInterval } from "./number";
import { type JudgeWords, useJudgeWords } from "./words";

export function Agreement({ judge, name }: { judge: JudgeView; name: string }) {
  const words = useJudgeWords();
  const isOther = judge.rubric !== "correctness";
  return (
    <>
      <h3>{words.agreement}</h3>
      {judge.labelled ? (
        <Figures judge={judge} />
      ) : (
        <p class="faint">{isOther ? words.otherRubric : words.noLabels}</p>
      )}
      <LeftOut judge={judge} />
      {(isOther || judge.labelled > 0) && (
        <>
          {!isOther && <p class="note">{words.checkHint}</p>}
          <CopyLine command={`assay judge check ${name} --judge ${judge.name}${isOther ? " --labels FILE" : ""}`} />
        </>
      )}
    </>
  );
}

function Figures({ judge }: { judge: JudgeView }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  const p = judge.errors_differ === null ? "" : judge.errors_differ.toFixed(3);
  return (
    <>
      <div class="judge-figures">
        <Matrix judge={judge} />
        <TableFrame label={`${words.agreement}: ${judge.name}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.group}</th>
                {["n", words.sensitivity, words.specificity, words.kappa].map((title) => (
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
                    <PlainText text={groupName(group, words)} />
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
          {fill(judge.is_biased ? words.biased : words.unbiased, { p })}
        </p>
      )}
      <p class="note">{words.agreementNote}</p>
    </>
  );
}

function groupName(group: JudgeGroup, words: JudgeWords): string {
  if (group.kind === "all") return words.groups.all ?? group.name;
  return group.kind === "language" ? (words.languages[group.name] ?? group.name) : group.name;
}

function Matrix({ judge }: { judge: JudgeView }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  const [both, onlyJudge, onlyPeople, neither] = judge.matrix;
  return (
    <TableFrame label={`${words.matrix}: ${judge.name}`}>
      <table class="judge-matrix">
        <caption class="unseen">{words.matrix}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col" class="right">
              {words.peopleYes}
            </th>
            <th scope="col" class="right">
              {words.peopleNo}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{words.judgeYes}</th>
            <td class="right number">{count(both, language)}</td>
            <td class="right number opposite">{count(onlyJudge, language)}</td>
          </tr>
          <tr>
            <th scope="row">{words.judgeNo}</th>
            <td class="right number opposite">{count(onlyPeople, language)}</td>
            <td class="right number">{count(neither, language)}</td>
          </tr>
        </tbody>
      </table>
    </TableFrame>
  );
}

function LeftOut({ judge }: { judge: JudgeView }) {
  const { language } = useSettings();
  const words = useJudgeWords();
  return (
    <>
      {Object.entries(judge.left_out).map(([reason, n]) => (
        <p key={reason} class="note">{fill(plural(words.leftOutTitle, n, language), { n: count(n, language), reason: words.leftOut[reason] ?? reason })}</p>
      ))}
    </>
  );
}
