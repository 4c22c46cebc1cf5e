import { readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { compileSource } from "../../sandbox/compilation.ts"

const CONTRACTS = "examples/extension/contracts"

it("the example's contract is what its source compiles to; npm run extension -- --compile writes it", () => {
  assert.strictEqual(
    compileSource("TipJar.sol", CONTRACTS).artifact,
    readFileSync(`${CONTRACTS}/TipJar.json`, "utf8")
  )
})
