/** The hash of an operation as this project computes it, against everybody who has to come to the same. */
import fc from "fast-check"
import { afterAll, assert, beforeAll, it } from "vitest"
import { operationHash } from "../../src/values/PackedOperation.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import {
  byBundler,
  byEntryPoint,
  byEthers,
  byViem,
  operations,
  place
} from "../useroperations/support/RandomOperations.ts"
import { campaign } from "./Campaign.ts"

/** In every run of the tests; as many as wanted in `npm run faults -- --hashes`. */
const { seed, sizes, report } = campaign("operation-hashes", { count: 500 })
const AT_ONCE = 500

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

it("hashes random operations as the entry point, the bundler and two libraries do", {
  timeout: 1_800_000
}, async () => {
  const all = fc.sample(operations, { numRuns: sizes.count, seed })
  let differing = 0
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const sample = all.slice(from, from + AT_ONCE)
    const [onChain, carried] = await Promise.all([byEntryPoint(sandbox.url, sample), byBundler(sample)])
    sample.forEach((operation, index) => {
      const told = [onChain[index], carried[index], byViem(operation), byEthers(operation)]
      const hash = operationHash(operation, place)
      if (told.some(each => each !== hash)) differing += 1
      assert.deepStrictEqual(told, [hash, hash, hash, hash], JSON.stringify(operation))
    })
  }
  report({ operations: all.length, violations: differing })
})
