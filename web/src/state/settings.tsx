// What the reader chose: language and colours. Kept in this browser only.

import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { type Language, languageOf, LANGUAGES, speak } from "../words";

export type Theme = "auto" | "light" | "dark";
export const THEMES: readonly Theme[] = ["auto", "light", "dark"];

export interface Settings {
  readonly language: Language;
  readonly theme: Theme;
  readonly isDark: boolean;
  readonly setLanguage: (language: Language) => void;
  readonly setTheme: (theme: Theme) => void;
}

const Context = createContext<Settings | null>(null);

/** The settings of the page. */
export function useSettings(): Settings {
  const settings = useContext(Context);
  if (!settings) throw new Error("no settings above this component");
  return settings;
}

/** A value that is kept in this browser, where it allows that. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`assay.${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`assay.${name}`, value);
  } catch {
    // a browser that keeps nothing: the choice holds until the page is closed
  }
}

export function SettingsProvider({ children }: { children: ComponentChildren }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const [theme, setTheme] = useState<Theme>(firstTheme);
  const isSystemDark = useMedia("(prefers-color-scheme: dark)");
  const isDark = theme === "dark" || (theme === "auto" && isSystemDark);
  speak(language);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  const settings = useMemo<Settings>(
    () => ({
      language,
      theme,
      isDark,
      setLanguage: (chosen) => {
        keep("language", chosen);
        setLanguage(chosen);
      },
      setTheme: (chosen) => {
        keep("theme", chosen);
        setTheme(chosen);
      },
    }),
    [language, theme, isDark],
  );
  return <Context.Provider value={settings}>{children}</Context.Provider>;
}

function firstLanguage(): Language {
  // a file opens in the language in which it was written
  const chosen = document.documentElement.dataset.language ?? kept("language");
  return LANGUAGES.find((name) => name === chosen) ?? languageOf(navigator.languages);
}

function firstTheme(): Theme {
  const chosen = kept("theme");
  return THEMES.find((name) => name === chosen) ?? "auto";
}

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = (): void => setHolds(list.matches);
    update();
    list.addEventListener("change", update);
    return () => list.removeEventListener("change", update);
  }, [query]);
  return holds;
}
