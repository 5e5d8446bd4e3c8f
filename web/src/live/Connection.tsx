// A line that says that the server does not answer; the page connects again by itself.

import { useSettings } from "../state/settings";
import { useLive } from "./context";

export function Connection() {
  const { words } = useSettings();
  const { isConnected } = useLive();
  return (
    <div role="status" class="connection">
      {isConnected === false && <p>{words.live.lost}</p>}
    </div>
  );
}
