import fc from "fast-check"
import { assert, it } from "vitest"
import { type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { campaign } from "./Campaign.ts"
import { sequence } from "./sequences/Commands.ts"
import { begin, checkSent, perform } from "./sequences/Model.ts"

/** Few in every run of the tests; thousands in `npm run faults -- --sequences`. */
const { seed, sizes, asked, report } = campaign("sequences", { count: 30 })

const LANES = asked ? 4 : 1
/** A local chain forgets old state after many blocks and rollbacks; a fresh one replaces it in time. */
const SEQUENCES_PER_CHAIN = 25

const freshBench = async (): Promise<RelayBench> => {
  const bench = await startRelayBench()
  await rpc(bench.chain.url, "evm_setAutomine", [false])
  return bench
}

it("any sequence of submissions, faults, blocks and reorganisations keeps every promise", {
  timeout: asked ? 360_000_000 : 600_000
}, async () => {
  const commands: Record<string, number> = {}
  const answers: Record<string, number> = {}
  const broken: Array<string> = []
  let next = 0
  const playOne = (bench: RelayBench, own: number) =>
    fc.assert(
      fc.asyncProperty(sequence, async steps => {
        const model = await begin(bench, answers)
        for (const step of steps) {
          commands[step.do] = (commands[step.do] ?? 0) + 1
          await perform(model, step)
        }
        await checkSent(model)
      }),
      { numRuns: 1, seed: own }
    )
  const play = async (bench: RelayBench) => {
    for (let done = 0; done < SEQUENCES_PER_CHAIN && next < sizes.count; done++) {
      const own = seed + next++
      await playOne(bench, own).catch((failure: unknown) => {
        broken.push(`seed ${own}: ${failure instanceof Error ? failure.stack : failure}`)
      })
      if (asked && next % 100 === 0) console.log(`${next} sequences, ${broken.length} broken`)
    }
  }
  const lane = async () => {
    while (next < sizes.count) {
      const bench = await freshBench()
      await play(bench).finally(bench.stop)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  report({ sequences: sizes.count, commands, answers, violations: broken.length })
  assert.deepStrictEqual(broken, [])
  if (!asked)
    assert.containsAllKeys(answers, [
      "admitted",
      "STEP_ALREADY_BOUND",
      "DEPENDENCIES_UNCONFIRMED",
      "PLAN_EXPIRED",
      "again: in-flight"
    ])
})
