// The data of each kind of chart, as src/assay/web/chart.py describes it.

import type { Interval, Said } from "../api";

export interface DifferencesData {
  readonly metric: string;
  readonly points: readonly {
    readonly variant: string;
    readonly difference: number | null;
    readonly interval: Interval | null;
    readonly plain: Interval | null;
    readonly verdict: string;
    readonly p: number | null;
    readonly n: number;
  }[];
}

export interface BarsData {
  readonly metric: string;
  readonly bars: readonly {
    readonly label: Said;
    readonly value: number | null;
    readonly interval: Interval | null;
    readonly n: number;
  }[];
}

export interface LineData {
  readonly metric: string;
  readonly variable: string;
  readonly points: readonly {
    readonly x: number;
    readonly variant: string;
    readonly value: number | null;
    readonly interval: Interval | null;
    readonly n: number;
  }[];
}

export interface SequenceData {
  readonly metric: string;
  /** The smallest difference that matters; 0 if none was named. */
  readonly margin: number;
  readonly lines: readonly {
    readonly variant: string;
    readonly verdict: string;
    readonly questions: number;
    readonly points: readonly {
      readonly questions: number;
      readonly difference: number | null;
      readonly low: number;
      readonly high: number;
    }[];
  }[];
}

export interface TradeoffData {
  readonly metric: string;
  readonly latency: string;
  readonly points: readonly {
    readonly variant: string;
    readonly x: number | null;
    readonly y: number | null;
    readonly x_interval: Interval | null;
    readonly y_interval: Interval | null;
    readonly is_front: boolean;
  }[];
}

export interface CostData {
  readonly bars: readonly {
    readonly variant: string;
    readonly cost: number | null;
    readonly paid: number | null;
    readonly judge_paid: number | null;
    readonly calls: number | null;
    readonly prompt_tokens: number | null;
    readonly completion_tokens: number | null;
  }[];
}

export interface HeatCell {
  readonly context_length: number;
  readonly depth_bin: string;
  readonly accuracy: number | null;
  readonly n: number;
  readonly unparsed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly answered: number;
  readonly interval: Interval | null;
  readonly listing: number | null;
}

export interface HeatMean {
  readonly context_length?: number;
  readonly depth_bin?: string;
  readonly mean_of_cells: number | null;
  readonly mean_of_questions: number | null;
  readonly cells: number;
  readonly n: number;
  readonly unparsed: number;
  readonly interval: Interval | null;
}

export interface HeatView {
  readonly cells: readonly HeatCell[];
  readonly averages: {
    readonly by_context_length: readonly HeatMean[];
    readonly by_depth_bin: readonly HeatMean[];
    readonly overall: HeatMean;
  };
}

export interface HeatDifference {
  readonly context_length?: number;
  readonly depth_bin?: string;
  readonly difference: number | null;
  readonly pairs: number;
  readonly gained: number;
  readonly lost: number;
  readonly p_adjusted: number | null;
  readonly significant: boolean;
  readonly listing?: number | null;
}

export interface DifferenceView {
  readonly cells: readonly HeatDifference[];
  readonly by_context_length: readonly HeatDifference[];
  readonly by_depth_bin: readonly HeatDifference[];
  readonly overall: HeatDifference;
}

interface Views<T> {
  readonly all: T;
  readonly parsed: T;
}

export interface HeatmapData {
  readonly lengths: readonly number[];
  readonly bins: readonly string[];
  readonly models: readonly { readonly model: string; readonly run: string; readonly views: Views<HeatView> }[];
  readonly differences: readonly {
    readonly model: string;
    readonly baseline: string;
    readonly note: Said;
    readonly reach: number;
    readonly views: Views<DifferenceView>;
  }[];
}

export interface Stretch {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly questions: number;
  readonly covered: number;
  readonly coverage: number | null;
  readonly accuracy: number | null;
  readonly n: number;
  readonly unparsed: number;
  readonly interval: Interval | null;
  readonly listing: number | null;
}

export interface StretchData {
  readonly mode: "coverage" | "accuracy";
  readonly most: number;
  readonly models: readonly { readonly model: string; readonly run: string; readonly views: Views<readonly Stretch[]> }[];
}

export interface ConfusionData {
  readonly rows: readonly Said[];
  readonly columns: readonly Said[];
  readonly matrices: readonly { readonly variant: string; readonly counts: readonly (readonly number[])[] }[];
}

export interface GroupsData {
  readonly groups: readonly { readonly key: string; readonly label: Said; readonly item: string | null }[];
  readonly bars: readonly {
    readonly variant: string;
    readonly group: string;
    readonly value: number | null;
    readonly n: number;
  }[];
  readonly scale: number;
}

export interface ReasonsData {
  readonly reasons: readonly { readonly key: string; readonly label: Said }[];
  readonly bars: readonly {
    readonly variant: string;
    readonly reason: string;
    readonly count: number;
    readonly n: number;
  }[];
}
