// The line above every view: where one is, the language, the colours and the keys.

import { THEMES, type Theme, useSettings } from "../state/settings";
import { type Language, LANGUAGE_NAMES, LANGUAGES, t, tx } from "../words";
import { PlainText } from "./PlainText";

export interface Crumb {
  readonly text: string;
  readonly address?: string;
}

export function Header({ trail, onHelp }: { trail: readonly Crumb[]; onHelp: () => void }) {
  return (
    <header class="top">
      <nav class="trail" aria-label={t("You are here")}>
        <a class="brand" href="#/">
          <Logo />
          assay
        </a>
        <ol>
          {trail.map((crumb, index) => (
            <li key={index}>
              {crumb.address && index < trail.length - 1 ? (
                <a href={crumb.address}>
                  <PlainText text={crumb.text} />
                </a>
              ) : (
                <span aria-current="page">
                  <PlainText text={crumb.text} />
                </span>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <div class="switches">
        <LanguageSwitch />
        <ThemeSwitch />
        <button type="button" class="quiet" onClick={onHelp} aria-label={t("Keys")} title={t("Keys")}>
          ?
        </button>
      </div>
    </header>
  );
}

function Logo() {
  return (
    <svg class="logo" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M2 14 8 2l6 12z" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
      <circle cx="8" cy="10.4" r="1.9" fill="currentColor" />
    </svg>
  );
}

function LanguageSwitch() {
  const { language, setLanguage } = useSettings();
  return (
    <select
      aria-label={t("Language")}
      title={t("Language")}
      value={language}
      onChange={(event) => setLanguage(event.currentTarget.value as Language)}
    >
      {LANGUAGES.map((name) => (
        <option key={name} value={name} lang={name}>
          {LANGUAGE_NAMES[name]}
        </option>
      ))}
    </select>
  );
}

function themeWord(theme: Theme): string {
  return { auto: t("As the system"), light: t("Light"), dark: t("Dark") }[theme];
}

function ThemeSwitch() {
  const { theme, setTheme } = useSettings();
  return (
    <select
      aria-label={tx("theme", "Colours")}
      title={tx("theme", "Colours")}
      value={theme}
      onChange={(event) => setTheme(event.currentTarget.value as Theme)}
    >
      {THEMES.map((name) => (
        <option key={name} value={name}>{themeWord(name)}</option>
      ))}
    </select>
  );
}
