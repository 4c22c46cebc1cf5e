import { assert, it } from "vitest"
import { tell } from "../../src/console/Failures.ts"

const SAYINGS = [
  "Failed to fetch dynamically imported module: https://service.example/console/PlansPage-BU75D57E.js",
  "error loading dynamically imported module: https://service.example/console/PlansPage-BU75D57E.js",
  "Importing a module script failed."
]

it("a part of the page that is gone is told as a console that was renewed, in each browser's words", () => {
  for (const saying of SAYINGS) assert.include(tell(new TypeError(saying)).advice, "renewed", saying)
  assert.include(tell(new TypeError("x is undefined")).advice, "Sign nothing")
})
