// What one can do with a run: stop it, go on, raise its ceiling, write about it, put it away.

import { useState } from "preact/hooks";
import type { LiveRun, RunCard, Started } from "../api";
import { CopyLine } from "../parts/CopyLine";
import { Failure } from "../parts/Failure";
import { useLoad } from "../state/load";
import { AboutForm } from "./AboutForm";
import { type Action, useAction } from "./action";
import { resume, resumption, stop } from "./calls";
import { CeilingForm } from "./CeilingForm";
import { follow } from "./follow";
import { Outcome } from "./Outcome";
import { t } from "../words";

interface Props {
  readonly card: RunCard;
  readonly live: LiveRun | null;
  /** Whether the command that goes on with the run stands below already. */
  readonly showsCommand: boolean;
  readonly again: () => void;
}

export function RunBar({ card, live, showsCommand, again }: Props) {
  const action = useAction();
  const [open, setOpen] = useState<"" | "about" | "ceiling">("");
  const [outcome, setOutcome] = useState<Started | null>(null);
  const isOpen = !live && card.state !== "complete";
  const { data, isLoading } = useLoad(isOpen ? `resume ${card.id} ${card.state}` : "", () => resumption(card.id));
  const way = isLoading ? null : data;  // not that of the run before
  const isOffered = isOpen && way?.is_offered === true;
  const toggle = (name: "about" | "ceiling"): void => setOpen(open === name ? "" : name);
  const goOn = (max_cost: number | null): void =>
    action.run(async () => {
      setOpen("");
      const state = await follow(await resume(card.id, { max_cost }), setOutcome);
      if (state.state === "running" || state.code === 0) setOutcome(null);
      again();
    });
  return (
    <div class="run-bar">
      <div class="buttons">
        {live ? (
          <StopButton run={card.id} action={action} />
        ) : (
          isOffered && (
            <button type="button" class="main" disabled={action.isBusy} onClick={() => goOn(null)}>
              {action.isBusy ? t("Starting…") : t("Go on")}
            </button>
          )
        )}
        {(live ? live.paid !== null || live.ceiling !== null : isOffered) && (
          <button type="button" aria-expanded={open === "ceiling"} onClick={() => toggle("ceiling")}>
            {t("Change the ceiling")}
          </button>
        )}
        <button type="button" aria-expanded={open === "about"} onClick={() => toggle("about")}>
          {t("Notes and tags")}
        </button>
      </div>
      {isOpen && way?.is_offered === false && !showsCommand && <Elsewhere command={way.command} />}
      {open === "ceiling" && <CeilingForm live={live} isBusy={action.isBusy} onRaise={goOn} />}
      {open === "about" && <AboutForm card={card} isLive={live !== null} again={again} onClose={() => setOpen("")} />}
      {action.error && <Failure error={action.error} />}
      {outcome && <Outcome started={outcome} />}
    </div>
  );
}

/** A run that only a terminal, or the program that started it, can go on with. */
function Elsewhere({ command }: { command: string }) {
  if (!command) return <p class="note">{t("This run was not started by a command of assay: go on with it where you started it.")}</p>;
  return (
    <section class="resume">
      <p>{t("To go on with this run, type")}</p>
      <CopyLine command={command} />
    </section>
  );
}

function StopButton({ run, action }: { run: string; action: Action }) {
  const [isAsked, setAsked] = useState(false);
  const press = (): void =>
    action.run(async () => {
      await stop(run);
      setAsked(true);
    });
  return (
    <button type="button" class="stop" disabled={action.isBusy || isAsked} title={t("As Ctrl+C: what was answered is kept, and the run can go on later")} onClick={press}>
      <span aria-hidden="true">■</span> {isAsked ? t("Stopping…") : t("Stop")}
    </button>
  );
}
