// The words of the page in three languages, and how they are filled in.

import type { Text } from "../api";
import { en } from "./en";
import { ru } from "./ru";
import { zh } from "./zh";

export const LANGUAGES = ["en", "zh", "ru"] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", zh: "中文", ru: "Русский" };

/** A text with a number, by the plural categories of its language. */
export interface Forms {
  readonly one?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

type Widened<T> = T extends string
  ? string
  : T extends Forms
    ? Forms
    : T extends readonly string[]
      ? readonly string[]
      : { readonly [K in keyof T]: Widened<T[K]> };
export type Words = Widened<typeof en>;

const CATALOGUES: Record<Language, Words> = { en, zh, ru };

/** The words of a language. */
export function wordsOf(language: Language): Words {
  return CATALOGUES[language];
}

/** The name of a system; several systems side by side have one in every language. */
export function systemName(system: string, words: Words): string {
  return system === "side by side" ? words.run.sideBySide : system;
}

/** A value of a fact, which may differ by language. */
export function factValue(value: string | Text, language: Language): string {
  return typeof value === "string" ? value : said(value, language);
}

/** A text with the names in braces filled in. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => (name in values ? String(values[name]) : all));
}

const rules = new Map<Language, Intl.PluralRules>();

/** The form of a text for the number `n`. */
export function plural(forms: Forms, n: number, language: Language): string {
  let rule = rules.get(language);
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)));
  const category = rule.select(n);
  const form = category === "one" ? forms.one : category === "few" ? forms.few : category === "many" ? forms.many : undefined;
  return form ?? forms.other;
}

/** A text of the data in the language of the page. */
export function said(text: Text | null | undefined, language: Language): string {
  return text ? text[language] || text.en : "";
}

/** The language of a list of preferences such as `navigator.languages`. */
export function languageOf(preferences: readonly string[]): Language {
  for (const name of preferences) {
    const found = LANGUAGES.find((language) => name.toLowerCase().split("-")[0] === language);
    if (found) return found;
  }
  return "en";
}
