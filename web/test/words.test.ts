import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { csv } from "../src/charts/csv";
import { niceTicks } from "../src/charts/ticks";
import { count } from "../src/text/number";
import { languageOf, show, speak, t, tn, tx } from "../src/words";
import catalogue from "../src/words/catalogue.json";

afterEach(() => speak("en"));

test("a sentence is said in the language of the page, with its fields", () => {
  assert.equal(t("Show more"), "Show more");
  assert.equal(t("No run matches “{text}”.", { text: "{text} $&" }), "No run matches “{text} $&”.");
  speak("ru");
  assert.equal(t("Show more"), "Показать ещё");
  assert.equal(t("{done} of {total}", { done: "1", total: 12000 }), "1 из 12000");
  speak("zh");
  assert.equal(t("Show more"), "显示更多");
});

test("a sentence without a translation is said in English", () => {
  for (const language of ["en", "zh", "ru"] as const) {
    speak(language);
    assert.equal(t("nobody said {what} before", { what: "this" }), "nobody said this before");
    assert.equal(tn("{n} unknown row", "{n} unknown rows", 1), "1 unknown row");
    assert.equal(tn("{n} unknown row", "{n} unknown rows", 21), "21 unknown rows");
    assert.equal(tx("nowhere", "Start"), "Start");
    assert.equal(t("constructor"), "constructor");
  }
});

test("a field that nobody gives stays as it is written, and so does a text without fields", () => {
  assert.equal(t("{done} of {total}", { done: 1 }), "1 of {total}");
  assert.equal(t("{toString}", {}), "{toString}");
  assert.equal(show("{n} of a file"), "{n} of a file");
});

test("each language has the form that goes with a number", () => {
  const said = (numbers: readonly number[]): string[] => numbers.map((n) => tn("{n} question", "{n} questions", n));
  assert.deepEqual(said([0, 1, 2, 21]), ["0 questions", "1 question", "2 questions", "21 questions"]);
  speak("ru");
  assert.deepEqual(said([1, 2, 5, 11, 21, 104, 12000]), ["1 вопрос", "2 вопроса", "5 вопросов", "11 вопросов", "21 вопрос", "104 вопроса", `${count(12000, "ru")} вопросов`]);
  speak("zh");
  assert.deepEqual(said([1, 12000]), ["1 个问题", "12,000 个问题"]);
});

test("the form may go with another number than the one that is shown", () => {
  const found = (n: number, total: number): string => tn("{n} of {total} question", "{n} of {total} questions", total, { n, total });
  assert.equal(found(1, 3), "1 of 3 questions");
  speak("ru");
  assert.deepEqual([found(1, 21), found(3, 5)], ["1 из 21 вопроса", "3 из 5 вопросов"]);
});

test("a context tells two meanings of the same English apart", () => {
  assert.equal(tx("state", "failed"), "failed");
  speak("ru");
  assert.deepEqual([tx("state", "failed"), tx("count", "failed")], ["сбой", "не удалось"]);
});

test("what the server sends is shown in the language of the page", () => {
  const title = { en: "Accuracy", zh: "准确率", ru: "Точность" };
  assert.deepEqual([show("норма.pdf"), show(null), show(undefined), show(title)], ["норма.pdf", "", "", "Accuracy"]);
  assert.equal(show({ text: "recorded {as} it is" }), "recorded {as} it is");
  speak("ru");
  assert.equal(show(title), "Точность");
  assert.equal(show({ ...title, ru: "" }), "Accuracy");
  assert.equal(show({ text: "failed", context: "state" }), "сбой");
  assert.equal(show({ text: "{n} question", plural: "{n} questions", n: 3 }), "3 вопроса");
  assert.equal(show({ text: "{n} question", plural: "{n} questions", n: 4000, fields: { n: "4 000" } }), "4 000 вопросов");
});

test("a field that is a message or a title is translated with the sentence", () => {
  const said = { text: "Undefined: {reason}", fields: { reason: { text: "{n} question", plural: "{n} questions", n: 2 } } };
  assert.equal(show(said), "Undefined: 2 questions");
  speak("ru");
  assert.equal(show(said), "Не определено: 2 вопроса");
  assert.equal(t("Undefined: {reason}", { reason: { en: "no gold", zh: "无", ru: "нет эталона" } }), "Не определено: нет эталона");
});

test("a text has all its translations, and a plural as many forms as its language", () => {
  const forms = catalogue.languages.map((language) => ({ ru: 3, zh: 1 })[language]);
  const texts = Object.values<readonly (string | readonly string[])[]>(catalogue.texts);
  assert.ok(texts.some((said) => said.some((each) => typeof each !== "string")));
  for (const said of texts) {
    assert.equal(said.length, forms.length);
    said.forEach((each, at) => {
      assert.equal(typeof each === "string" ? forms[at] : each.length, forms[at]);
    });
  }
});

test("the language follows the browser's preferences", () => {
  assert.equal(languageOf(["de-DE", "zh-TW", "en"]), "zh");
  assert.equal(languageOf(["ru"]), "ru");
  assert.equal(languageOf(["fr"]), "en");
});

test("a CSV cell is quoted where it must be, and never run as a formula", () => {
  assert.equal(csv(["a", "b"], [["=1+1", -2.5], ['say "hi", twice', null]]), 'a,b\r\n\'=1+1,-2.5\r\n"say ""hi"", twice",\r\n');
});

test("axes have round numbers around the data", () => {
  assert.deepEqual(niceTicks(-24.4, 10.5, 5), [-30, -20, -10, 0, 10, 20]);
  assert.deepEqual(niceTicks(0, 0, 5), [-1, 0, 1]);
});
