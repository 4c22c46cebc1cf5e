import { assert, it } from "vitest"
import { gasWithPart } from "../../src/values/TransactionGas.ts"

it.each([
  [21_000n, 4n, 26_250n],
  [13_421_772n, 4n, 16_777_215n],
  [13_421_773n, 4n, 16_777_216n],
  [16_000_000n, 4n, 16_777_216n],
  [16_777_216n, 4n, 16_777_216n],
  [16_777_217n, 4n, 20_971_521n],
  [21_000n, 5n, 25_200n],
  [13_981_014n, 5n, 16_777_216n],
  [15_000_000n, 5n, 16_777_216n],
  [16_777_217n, 5n, 20_132_660n]
])(
  "an estimate of %d has a part of %d more, and no more than a transaction may have",
  (estimate, part, gas) => {
    assert.strictEqual(gasWithPart(estimate, part), gas)
  }
)
