// Starts the page: with the data inside this file if it has any, otherwise with the server's.

import { render } from "preact";
import { App } from "./App";
import { embeddedSource } from "./source/embedded";
import { HttpSource } from "./source/http";
import { takeKey } from "./source/key";
import { SettingsProvider } from "./state/settings";
import { SourceContext } from "./state/source";
import "./style/app.css";

const root = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
root.replaceChildren();
const embedded = embeddedSource(document);
if (!embedded) takeKey();
render(
  <SettingsProvider>
    <SourceContext.Provider value={embedded ?? new HttpSource()}>
      <App />
    </SourceContext.Provider>
  </SettingsProvider>,
  root,
);
