// The route of the address bar.

import { useEffect, useMemo, useState } from "preact/hooks";
import { formatRoute, parseRoute, type Route } from "../route";

/** The view that the address names; the same object until the address changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const update = (): void => setHash(location.hash);
    update(); // it may have changed between the drawing and now
    addEventListener("hashchange", update);
    addEventListener(REPLACED, update);
    return () => {
      removeEventListener("hashchange", update);
      removeEventListener(REPLACED, update);
    };
  }, []);
  return useMemo(() => parseRoute(hash), [hash]);
}

const REPLACED = "assay-replaced";

/** Goes to a view; "back" leads here again. */
export function go(route: Route): void {
  location.hash = formatRoute(route);
}

/** Changes the address of this view, for example a filter, without a step of its own for "back". */
export function replace(route: Route): void {
  const address = formatRoute(route);
  if (address === location.hash) return;
  history.replaceState(null, "", address);
  dispatchEvent(new Event(REPLACED));
}
