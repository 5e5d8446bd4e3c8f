// The calls of searching the corpus and of the gold of a question.

import type { AskedQuestion, CorpusView, FoundPassages, GoldChange, SearchRequest } from "../api";
import { ask, send } from "../source/call";

export function corpus(path: string, question: string, signal: AbortSignal): Promise<CorpusView> {
  return ask(`corpus?${new URLSearchParams({ path, question }).toString()}`, signal);
}

export const search = (request: SearchRequest): Promise<FoundPassages> => send("corpus/search", request);
export const changeGold = (change: GoldChange): Promise<AskedQuestion> => send("corpus/gold", change);
