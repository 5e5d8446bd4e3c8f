// The frame of a view while its data comes. Its words appear only after 300 ms (see the style).

import { useSettings } from "../state/settings";

export function Loading() {
  const { words } = useSettings();
  return (
    <p class="loading" role="status">
      {words.loading}
    </p>
  );
}
