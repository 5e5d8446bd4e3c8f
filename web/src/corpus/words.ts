// The words of searching the corpus in three languages.

import { useSettings } from "../state/settings";
import { type Forms, type Language } from "../words";

const en = {
  title: "Search the documents",
  find: "Find gold in the documents",
  words: "Words, a phrase or a question",
  source: "Document",
  anySource: "any document",
  search: "Search",
  searching: "searching…",
  none: "No passage was found.",
  hint: "Type what a passage should say. The passages are found as the reference pipeline finds them.",
  found: { one: "{n} passage, the best first", other: "{n} passages, the best first" } as Forms,
  score: "score {n}",
  page: "p. {n}",
  forQuestion: "Gold for a question",
  file: "File of questions",
  question: "Question",
  noQuestion: "none, only search",
  useIt: "Use as gold",
  takeAway: "Take away from the gold",
  isGold: "gold",
  gold: { one: "{n} gold passage", other: "{n} gold passages" } as Forms,
  noGold: "This question has no gold passage yet.",
  saved: "Written into {file}.",
  noFiles: "There is no file questions/*.jsonl in this workspace, so gold cannot be written.",
  again: "Recorded answers keep the gold they were held against. The next run of the experiment holds them against the new gold and asks nothing again.",
};

type CorpusWords = typeof en;

const zh: CorpusWords = {
  title: "搜索文档",
  find: "在文档中查找标准段落",
  words: "词语、短语或问题",
  source: "文档",
  anySource: "任意文档",
  search: "搜索",
  searching: "正在搜索…",
  none: "没有找到段落。",
  hint: "输入段落应当说的内容。查找方式与参考流水线相同。",
  found: { other: "{n} 个段落，最佳的在前" },
  score: "得分 {n}",
  page: "第 {n} 页",
  forQuestion: "为问题指定标准段落",
  file: "问题文件",
  question: "问题",
  noQuestion: "无，只搜索",
  useIt: "用作标准段落",
  takeAway: "从标准段落中去掉",
  isGold: "标准",
  gold: { other: "{n} 个标准段落" },
  noGold: "这个问题还没有标准段落。",
  saved: "已写入 {file}。",
  noFiles: "此工作区中没有 questions/*.jsonl 文件，因此无法写入标准段落。",
  again: "已记录的回答仍按当时的标准段落评分。下一次运行该实验时会按新的标准段落重新评分，不会重新提问。",
};

const ru: CorpusWords = {
  title: "Поиск по документам",
  find: "Найти эталон в документах",
  words: "Слова, фраза или вопрос",
  source: "Документ",
  anySource: "любой документ",
  search: "Искать",
  searching: "идёт поиск…",
  none: "Фрагментов не найдено.",
  hint: "Введите, что должно быть сказано во фрагменте. Поиск такой же, как у эталонного конвейера.",
  found: { one: "{n} фрагмент, лучшие сначала", few: "{n} фрагмента, лучшие сначала", many: "{n} фрагментов, лучшие сначала", other: "{n} фрагмента, лучшие сначала" },
  score: "балл {n}",
  page: "с. {n}",
  forQuestion: "Эталон для вопроса",
  file: "Файл вопросов",
  question: "Вопрос",
  noQuestion: "нет, только поиск",
  useIt: "Взять как эталон",
  takeAway: "Убрать из эталона",
  isGold: "эталон",
  gold: { one: "{n} эталонный фрагмент", few: "{n} эталонных фрагмента", many: "{n} эталонных фрагментов", other: "{n} эталонных фрагмента" },
  noGold: "У этого вопроса ещё нет эталонных фрагментов.",
  saved: "Записано в {file}.",
  noFiles: "В рабочей папке нет файлов questions/*.jsonl, поэтому эталон записать некуда.",
  again: "Записанные ответы оценены по прежнему эталону. Следующий запуск эксперимента оценит их по новому и ничего не спросит заново.",
};

export const CORPUS_WORDS: Record<Language, CorpusWords> = { en, zh, ru };

export function useCorpusWords(): CorpusWords {
  return CORPUS_WORDS[useSettings().language];
}
