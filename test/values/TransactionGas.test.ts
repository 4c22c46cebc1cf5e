import { assert, it } from "vitest"
import { gasWithQuarter } from "../../src/values/TransactionGas.ts"

it.each([
  [21_000n, 26_250n],
  [13_421_772n, 16_777_215n],
  [13_421_773n, 16_777_216n],
  [16_000_000n, 16_777_216n],
  [16_777_216n, 16_777_216n],
  [16_777_217n, 20_971_521n]
])("an estimate of %d has a quarter more, and no more than a transaction may have", (estimate, gas) => {
  assert.strictEqual(gasWithQuarter(estimate), gas)
})
