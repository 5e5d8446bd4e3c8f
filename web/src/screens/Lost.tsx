// An address that names no view.

import { t } from "../words";

export function Lost() {
  return (
    <div class="failure">
      <h1 class="lead">{t("There is no such page.")}</h1>
      <p>{t("The address is not one of this page.")}</p>
      <p>
        <a class="button" href="#/">
          {t("To the runs")}
        </a>
      </p>
    </div>
  );
}
