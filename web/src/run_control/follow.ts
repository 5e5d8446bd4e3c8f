// Follows a command that was started until its run is there or it has ended.

import type { Started } from "../api";
import { started } from "./calls";

const LOOK_MS = 400;

export async function follow(first: Started, onChange: (state: Started) => void): Promise<Started> {
  let state = first;
  onChange(state);
  while (state.state === "starting") {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    state = await started(state.id);
    onChange(state);
  }
  return state;
}
