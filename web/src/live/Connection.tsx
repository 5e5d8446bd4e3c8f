// A line that says that the server does not answer; the page connects again by itself.

import { useLive } from "./context";
import { t } from "../words";

export function Connection() {
  const { isConnected } = useLive();
  return (
    <div role="status" class="connection">
      {isConnected === false && <p>{t("The server does not answer. Runs go on without it; this page connects again by itself.")}</p>}
    </div>
  );
}
