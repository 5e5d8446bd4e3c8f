// The source of the page's data, for every component.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Source } from "../source/source";

export const SourceContext = createContext<Source | null>(null);

export function useSource(): Source {
  const source = useContext(SourceContext);
  if (!source) throw new Error("no source above this component");
  return source;
}
