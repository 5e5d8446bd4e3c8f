// What a person writes about a run; archive it, or set it aside.

import { useState } from "preact/hooks";
import type { AboutChange, RunCard } from "../api";
import { Failure } from "../parts/Failure";
import { t } from "../words";
import { useAction } from "./action";
import { changeAbout, setAside } from "./calls";

interface Props {
  readonly card: RunCard;
  readonly isLive: boolean;
  readonly again: () => void;
  readonly onClose: () => void;
}

export function AboutForm({ card, isLive, again, onClose }: Props) {
  const action = useAction();
  const { about } = card;
  const [title, setTitle] = useState(about?.title ?? "");
  const [tags, setTags] = useState(about?.tags.join(", ") ?? "");
  const [note, setNote] = useState(about?.note ?? "");
  const save = (change: Partial<AboutChange>): void =>
    action.run(async () => {
      await changeAbout(card.id, change);
      again();
      onClose();
    });
  const send = (event: Event): void => {
    event.preventDefault();
    save({ title, note, tags: tags.split(/[,，、;]/).map((tag) => tag.trim()) });
  };
  return (
    <form class="about-form" onSubmit={send}>
      <label>
        {t("Title")}
        <input type="text" maxLength={200} placeholder={card.name} value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
      <label>
        {t("Tags")}
        <input type="text" placeholder={t("separated by commas")} value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
      </label>
      <label>
        {t("Note")}
        <textarea rows={3} maxLength={20000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="submit" class="main" disabled={action.isBusy}>
          {t("Save")}
        </button>
        <button type="button" disabled={action.isBusy} onClick={() => save({ is_archived: !about?.is_archived })}>
          {about?.is_archived ? t("Take out of the archive") : t("Archive")}
        </button>
        {!isLive && <AsideButton card={card} again={again} />}
        <button type="button" class="quiet" onClick={onClose}>
          {t("Close")}
        </button>
      </div>
      {action.error && <Failure error={action.error} />}
    </form>
  );
}

/** Sets a run aside after a second click; says under which names its files are kept. */
function AsideButton({ card, again }: { card: RunCard; again: () => void }) {
  const action = useAction();
  const [isSure, setSure] = useState(false);
  const press = (): void => {
    if (!isSure) {
      setSure(true);
      return;
    }
    action.run(async () => {
      const { names } = await setAside(card.id);
      alert(t("The run is off the list. Nothing was erased; its files are now called\n{names}", { names: names.join("\n") }));
      location.hash = "#/";
      again();
    });
  };
  return (
    <>
      <button type="button" class="stop" disabled={action.isBusy} onClick={press} onBlur={() => setSure(false)}>
        {isSure ? t("Really set aside?") : t("Set aside")}
      </button>
      {action.error && <Failure error={action.error} />}
    </>
  );
}
