// The settings that change: names and types from the system itself.

import type { DraftVariable, SettingView } from "../api";
import { PlainText } from "../parts/PlainText";
import { t } from "../words";
import type { Editing } from "./state";
import { parseValues, showValues } from "./value";

export function Variables({ editing }: { editing: Editing }) {
  const { draft, checked, editDraft } = editing;
  const isSingle = draft.design === "single";
  const rows = draft.variables.length ? draft.variables : [{ name: "", values: [] }];
  const shown = isSingle ? rows.slice(0, 1) : rows;
  const set = (at: number, change: Partial<DraftVariable>): void =>
    editDraft({ variables: rows.map((row, number) => (number === at ? { ...row, ...change } : row)) });
  return (
    <div class="variables">
      {shown.map((row, at) => (
        <Variable
          key={at}
          row={row}
          isSingle={isSingle}
          settings={checked?.settings ?? null}
          onName={(name) => set(at, { name, values: [] })}
          onValues={(values) => set(at, { values })}
          onRemove={rows.length > 1 && !isSingle ? () => editDraft({ variables: rows.filter((_, number) => number !== at) }) : undefined}
        />
      ))}
      {!isSingle && (
        <button type="button" class="quiet" onClick={() => editDraft({ variables: [...rows, { name: "", values: [] }] })}>
          + {t("Add a variable")}
        </button>
      )}
    </div>
  );
}

interface RowProps {
  readonly row: DraftVariable;
  readonly isSingle: boolean;
  readonly settings: readonly SettingView[] | null;
  readonly onName: (name: string) => void;
  readonly onValues: (values: readonly unknown[]) => void;
  readonly onRemove: (() => void) | undefined;
}

function Variable({ row, isSingle, settings, onName, onValues, onRemove }: RowProps) {
  const setting = settings?.find(({ name }) => name === row.name);
  const hint = isSingle ? t("all possible values") : t("off, on");
  return (
    <div class="variable">
      <div class="variable-line">
        {settings ? (
          <select aria-label={t("Variable")} value={row.name} onChange={(event) => onName(event.currentTarget.value)}>
            <option value="" />
            {row.name && !setting && <option value={row.name}>{row.name}</option>}
            {settings.map(({ name }) => (
              <option key={name} value={name}>{name}</option>
            ))}
          </select>
        ) : (
          <input type="text" aria-label={t("Variable")} spellcheck={false} value={row.name} onInput={(event) => onName(event.currentTarget.value)} />
        )}
        <input
          type="text"
          aria-label={t("Values")}
          placeholder={hint}
          spellcheck={false}
          value={showValues(row.values)}
          onChange={(event) => onValues(parseValues(event.currentTarget.value))}
        />
        {onRemove && (
          <button type="button" class="quiet" aria-label={`${t("Remove")}: ${row.name}`} title={t("Remove")} onClick={onRemove}>
            ×
          </button>
        )}
      </div>
      {setting && <Facts setting={setting} />}
    </div>
  );
}

function Facts({ setting }: { setting: SettingView }) {
  const facts = [
    setting.kind,
    setting.choices.length ? showValues(setting.choices) : "",
    setting.only_when ? t("only with {when}", { when: setting.only_when }) : "",
    setting.description,
  ];
  return (
    <p class="note">
      <PlainText text={facts.filter(Boolean).join(" · ")} />
    </p>
  );
}
