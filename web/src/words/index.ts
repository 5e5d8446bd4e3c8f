// How the page says things: the English sentence stands in the code, and the catalogue has its
// translations. The build makes it from src/assay/words/locale.

import type { Lang, Said } from "../api";
import { count } from "../text/number";
import catalogue from "./catalogue.json";

export type Language = Lang;
export const LANGUAGES: readonly Language[] = ["en", "zh", "ru"];
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", zh: "中文", ru: "Русский" };

/** What stands for the names in braces. */
export type Fields = Readonly<Record<string, Said | number>>;

/** The translations of a text in the order of the languages; a list has the forms of a plural, where they differ. */
type Translations = readonly (string | readonly string[])[];
const TEXTS = catalogue.texts as Readonly<Record<string, Translations>>;

/** The order of the plural forms in a catalogue. */
const FORMS: Record<Language, readonly string[]> = { en: ["one", "other"], zh: ["other"], ru: ["one", "few", "many"] };

let spoken: Language = "en";

/** Says everything in this language from now on. */
export function speak(language: Language): void {
  spoken = language;
}

/** A sentence in the language of the page. */
export function t(text: string, fields?: Fields): string {
  return filled(found(text)?.[0] ?? text, fields);
}

/** A sentence whose English is said in several ways elsewhere; `context` says which is meant. */
export function tx(context: string, text: string, fields?: Fields): string {
  return filled(found(`${context}\u0004${text}`)?.[0] ?? text, fields);
}

/** A sentence with a number, which fills `{n}`. */
export function tn(one: string, many: string, n: number, fields?: Fields): string {
  return counted(found(one), one, many, n, fields);
}

function counted(forms: readonly string[] | undefined, one: string, many: string, n: number, fields?: Fields): string {
  const text = forms ? forms[FORMS[spoken].indexOf(rule(spoken).select(n))] ?? forms[0] : n === 1 ? one : many;
  return filled(text ?? many, { n: count(n, spoken), ...fields });
}

/** What the server sent, in the language of the page. */
export function show(value: Said | null | undefined): string {
  if (!value) return "";
  if (typeof value === "string") return value;
  if (!("text" in value)) return value[spoken] || value.en;
  const { text, context, plural, n } = value;
  const fields = value.fields as Fields | undefined;
  const forms = found(context ? `${context}\u0004${text}` : text);
  return plural === undefined || n === undefined ? filled(forms?.[0] ?? text, fields) : counted(forms, text, plural, n, fields);
}

function found(text: string): readonly string[] | undefined {
  const translated = Object.hasOwn(TEXTS, text) ? TEXTS[text]?.[catalogue.languages.indexOf(spoken)] : undefined;
  return typeof translated === "string" ? [translated] : translated;
}

function filled(text: string, fields: Fields = {}): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined ? all : typeof value === "number" ? String(value) : show(value);
  });
}

const rules = new Map<Language, Intl.PluralRules>();

function rule(language: Language): Intl.PluralRules {
  let known = rules.get(language);
  if (!known) rules.set(language, (known = new Intl.PluralRules(language)));
  return known;
}

/** The language of a list of preferences such as `navigator.languages`. */
export function languageOf(preferences: readonly string[]): Language {
  for (const name of preferences) {
    const known = LANGUAGES.find((language) => name.toLowerCase().split("-")[0] === language);
    if (known) return known;
  }
  return "en";
}
