// The frame of a view while its data comes. Its words appear only after 300 ms (see the style).

import { t } from "../words";

export function Loading() {
  return (
    <p class="loading" role="status">
      {t("Loading…")}
    </p>
  );
}
