// The rules of the page's code. What types can say is left to tsc, the layout of lines to the writer.

import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

// The elements of a list: what the function of `map` returns, and what stands in an array.
const MAPPER = "CallExpression[callee.property.name=/^(map|flatMap|from)$/] > ArrowFunctionExpression";
const LISTS = [MAPPER, `${MAPPER} > BlockStatement ReturnStatement`, "ArrayExpression"];
const BRANCHES = ["", " > :matches(ConditionalExpression, LogicalExpression)"];
const UNKEYED = ":matches(JSXOpeningElement:not(:has(> JSXAttribute[name.name='key'])), JSXOpeningFragment)";

export default defineConfig(
  // api.ts is generated
  { ignores: ["build", "src/api.ts"] },
  js.configs.recommended,
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { "react-hooks": hooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "no-restricted-syntax": [
        "error",
        ...LISTS.flatMap((list) => BRANCHES.map((branch) => `${list}${branch} > :matches(JSXElement, JSXFragment) > ${UNKEYED}`)).map((selector) => ({
          selector,
          message: "an element of a list without a key: its state may go to another element; give it one",
        })),
      ],
      // a handler of one call is written `() => call()`
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // the runner waits for its tests
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: "test" }] }],
    },
  },
);
