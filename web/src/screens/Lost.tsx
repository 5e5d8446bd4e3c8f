// An address that names no view.

import { useSettings } from "../state/settings";

export function Lost() {
  const { words } = useSettings();
  return (
    <div class="failure">
      <h1 class="lead">{words.problems.lost}</h1>
      <p>{words.problems.lostText}</p>
      <p>
        <a class="button" href="#/">
          {words.problems.home}
        </a>
      </p>
    </div>
  );
}
