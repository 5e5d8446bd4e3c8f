// What a person writes about a run; archive it, or set it aside.

import { useState } from "preact/hooks";
import type { AboutChange, RunCard } from "../api";
import { Failure } from "../parts/Failure";
import { useSettings } from "../state/settings";
import { fill } from "../words";
import { useAction } from "./action";
import { changeAbout, setAside } from "./calls";

interface Props {
  readonly card: RunCard;
  readonly isLive: boolean;
  readonly again: () => void;
  readonly onClose: () => void;
}

export function AboutForm({ card, isLive, again, onClose }: Props) {
  const { words } = useSettings();
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
        {words.control.title}
        <input type="text" maxLength={200} placeholder={card.name} value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
      <label>
        {words.control.tags}
        <input type="text" placeholder={words.control.tagsHint} value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
      </label>
      <label>
        {words.control.note}
        <textarea rows={3} maxLength={20000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="submit" class="main" disabled={action.isBusy}>
          {words.control.save}
        </button>
        <button type="button" disabled={action.isBusy} onClick={() => save({ is_archived: !about?.is_archived })}>
          {about?.is_archived ? words.control.restore : words.control.archive}
        </button>
        {!isLive && <AsideButton card={card} again={again} />}
        <button type="button" class="quiet" onClick={onClose}>
          {words.close}
        </button>
      </div>
      {action.error && <Failure error={action.error} />}
    </form>
  );
}

/** Sets a run aside after a second click; says under which names its files are kept. */
function AsideButton({ card, again }: { card: RunCard; again: () => void }) {
  const { words } = useSettings();
  const action = useAction();
  const [isSure, setSure] = useState(false);
  const press = (): void => {
    if (!isSure) {
      setSure(true);
      return;
    }
    action.run(async () => {
      const { names } = await setAside(card.id);
      alert(fill(words.control.asideDone, { names: names.join("\n") }));
      location.hash = "#/";
      again();
    });
  };
  return (
    <>
      <button type="button" class="stop" disabled={action.isBusy} onClick={press} onBlur={() => setSure(false)}>
        {isSure ? words.control.asideSure : words.control.aside}
      </button>
      {action.error && <Failure error={action.error} />}
    </>
  );
}
