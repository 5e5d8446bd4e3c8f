// The calls of configuring.

import type { Checked, CheckRequest, ConfigureStart, SaveRequest, Tried, TryRequest } from "../api";
import { ask, send } from "../source/call";

export const opened = (signal: AbortSignal): Promise<ConfigureStart> => ask("configure", signal);
export const check = (request: CheckRequest): Promise<Checked> => send("configure/check", request);
export const tryQuestion = (request: TryRequest): Promise<Tried> => send("configure/try", request);
export const save = (request: SaveRequest): Promise<ConfigureStart> => send("configure/save", request);
