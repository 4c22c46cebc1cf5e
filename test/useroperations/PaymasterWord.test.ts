/** What is prepared of a paymaster's last word, in whatever form it is written and for however long it holds. */
import { Redacted } from "effect"
import { afterAll, assert, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { startRecordingProxy } from "../support/RecordingProxy.ts"
import { rpc } from "../support/Rpc.ts"
import { testSettings } from "../support/Settings.ts"
import { askOperation, boundWallet, startOperatingBench, walletPlan } from "./support/Operating.ts"

const bench = await startOperatingBench()
const { bundler, bundling } = bench
const paying = await startRecordingProxy({ upstream: bundler.paymasterUrl })
const service = await bench.replica({
  userOperations: {
    ...testSettings().userOperations,
    bundlers: [{ chainId: 31_337, urls: [Redacted.make(bundling.url)] }],
    paymasters: [{ chainId: 31_337, url: Redacted.make(paying.url), context: Redacted.make({}) }]
  }
})

afterAll(async () => {
  await service.stop()
  await paying.stop()
  await bench.stop()
})

type Word = Readonly<Record<"paymaster" | "paymasterData", string>>

/** Where the paymaster's last word is changed so. */
const preparedWith = async (change: (word: Word) => object): Promise<Response> => {
  const bound = await boundWallet(bench)
  const plan = await walletPlan(bench, bound)
  paying.fault({
    method: "pm_getPaymasterData",
    phase: "after",
    act: { kind: "rewrite", rewrite: (_, result) => ({ ...Object(result), ...change(Object(result)) }) }
  })
  return askOperation(service, bound.owner, { planId: plan.id, stepIndexes: [0] })
}

it("one in whole bytes and upper-case digits is the same", async () => {
  const answer = await preparedWith(({ paymasterData }) => ({
    paymasterData: `0x${paymasterData.slice(2).toUpperCase()}`,
    paymasterPostOpGasLimit: "0x01"
  }))
  const { operation } = await answer.json()
  assert.deepStrictEqual([answer.status, operation.paymasterPostOpGasLimit], [201, "0x1"])
  assert.match(operation.paymasterData, /^0x[0-9a-f]+$/)
})

const holding = async (seconds: number) => {
  const { timestamp } = await rpc(bench.chain.url, "eth_getBlockByNumber", ["latest", false])
  const until = Number(timestamp) + seconds
  const end = until.toString(16).padStart(12, "0")
  const answer = await preparedWith(({ paymasterData }) => ({
    paymasterData: `0x${end}${paymasterData.slice(14)}`
  }))
  return { until, answer }
}

it("one that holds for a shorter time ends the operation, which is sent until 40 seconds before", async () => {
  const { until, answer } = await holding(200)
  const { signing, expiresAt } = await answer.json()
  assert.deepStrictEqual([answer.status, signing.validUntil, expiresAt], [201, until, (until - 40) * 1000])
})

it("one that holds for a time in which no bundler takes the operation is none", async () => {
  const { until, answer } = await holding(20)
  const { context } = await assertProblem(answer, "PAYMASTER_REFUSED")
  assert.deepStrictEqual(context, { validUntil: until })
})
