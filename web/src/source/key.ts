// The key of this browser for changes. The server hands it on in the address once the token was
// entered. It is kept in storage that belongs to the port: a cookie goes to every port of a host.

const NAME = "assay.key";
let taken = "";

/** Takes the key out of the address of the page, and keeps it. */
export function takeKey(): void {
  const words = new URLSearchParams(location.search);
  const key = words.get("key");
  if (key === null) return;
  taken = key;
  history.replaceState(history.state, "", location.pathname + location.hash);
  try {
    localStorage.setItem(NAME, key);
  } catch {
    // a browser that keeps nothing: the key holds until the page is closed
  }
}

/** The key; empty if this browser has none. */
export function changeKey(): string {
  try {
    return taken || (localStorage.getItem(NAME) ?? "");
  } catch {
    return taken;
  }
}
