// Made by tools/generate_types.py from src/assay/report/look.py; do not edit.

export const HEAT = {
  "green-red": [
    "#c22f2b",
    "#f0793f",
    "#f6d55f",
    "#97c95c",
    "#1d9150"
  ],
  "safe": [
    "#00224e",
    "#434e6c",
    "#7d7c78",
    "#bcae6c",
    "#fee838"
  ],
  "difference": [
    "#b35806",
    "#f0b26b",
    "#f4f4f2",
    "#8fb9dc",
    "#1f5fa8"
  ],
  "count": [
    "#eef3f8",
    "#b9d2e8",
    "#74abd3",
    "#3279b5",
    "#0b3c70"
  ]
} as const;
export const VARIANTS = {
  "light": [
    "#2f6fb5",
    "#c8741a",
    "#2e8b74",
    "#9c5bb0",
    "#8a6d2b",
    "#c2517b",
    "#4a8fc7",
    "#6f7f34",
    "#a04a3c",
    "#5d6b7e"
  ],
  "dark": [
    "#6aa9ea",
    "#eda24f",
    "#5cc0a4",
    "#c994dc",
    "#c9ab62",
    "#ee8bb0",
    "#8cc4f0",
    "#a9ba62",
    "#e08a78",
    "#9aa8bb"
  ]
} as const;
export const PAGE = {
  "light": {
    "paper": "#ffffff",
    "ground": "#f6f7f9",
    "sunken": "#eef0f3",
    "ink": "#1d2129",
    "faint": "#5b6472",
    "line": "#dfe3e8",
    "line-strong": "#8a93a1",
    "neutral": "#6b7482",
    "accent": "#0f6d66",
    "accent-ink": "#ffffff",
    "accent-soft": "#e0f2ef",
    "better": "#1a5fae",
    "better-soft": "#e4eefa",
    "worse": "#a34b00",
    "worse-soft": "#fdeedd",
    "failed": "#b3261e",
    "failed-soft": "#fbe9e7",
    "gold": "#7a5600",
    "gold-soft": "#fdf3d2",
    "mark": "#ffe9a3"
  },
  "dark": {
    "paper": "#171b21",
    "ground": "#101318",
    "sunken": "#20252d",
    "ink": "#e6e9ee",
    "faint": "#a2abb8",
    "line": "#2f3641",
    "line-strong": "#6d7786",
    "neutral": "#98a2b0",
    "accent": "#5ac8ba",
    "accent-ink": "#0b1614",
    "accent-soft": "#14332f",
    "better": "#82b8f5",
    "better-soft": "#16293f",
    "worse": "#f2aa62",
    "worse-soft": "#3a2713",
    "failed": "#ff8a80",
    "failed-soft": "#3d1c1a",
    "gold": "#e6c068",
    "gold-soft": "#33290f",
    "mark": "#5a4a12"
  },
  "print": {
    "paper": "#ffffff",
    "ground": "#ffffff",
    "sunken": "#f3f4f6",
    "ink": "#000000",
    "faint": "#444b55",
    "line": "#c8cdd4",
    "line-strong": "#8a93a1",
    "accent": "#0b524d",
    "accent-soft": "#ffffff",
    "better": "#174f8f",
    "better-soft": "#ffffff",
    "worse": "#8a3f00",
    "worse-soft": "#ffffff",
    "failed": "#951d17",
    "gold": "#6b4a00",
    "gold-soft": "#ffffff",
    "mark": "#fff3c4"
  }
} as const;
export const MINUS = "−" as const;
export const MISSING = "–" as const;
export const THOUSANDS = {
  "en": ",",
  "zh": ",",
  "ru": "\u00a0"
} as const;
export const GROUPED_FROM = {
  "en": 4,
  "zh": 4,
  "ru": 5
} as const;
export const PERCENT = {
  "en": "%",
  "zh": "%",
  "ru": "\u00a0%"
} as const;
export const NO_DATA_TEXT = "无数据" as const;
export const SMALLEST_P = 0.001 as const;
