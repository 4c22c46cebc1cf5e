/** What an access list costs is part of what a transaction needs. */
import { afterAll, assert, it } from "vitest"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { pendingNonce } from "../support/SignedCalls.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { submit } from "../support/Submissions.ts"

const bench = await startRelayBench()
afterAll(() => bench.stop())

it("a transaction whose gas does not reach for its access list is refused, and nothing is sent", async () => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const call = callOf(plan)
  const { to, data } = call
  const value = BigInt(call.value)
  const from = owner.key.address
  const asked = { from, to, data, value: `0x${value.toString(16)}` }
  const estimated = BigInt(await rpc(bench.chain.url, "eth_estimateGas", [asked]))
  const storageKeys = Array.from({ length: 60 }, freshNonce)
  const signedWith = async (gas: bigint) =>
    owner.key.signTransaction({
      ...{ type: "eip1559", chainId: 31_337, to, data, value, gas },
      nonce: await pendingNonce(bench, from),
      maxFeePerGas: 10n ** 11n,
      accessList: [{ address: to, storageKeys }]
    })
  const short = await signedWith(estimated + 20_000n)
  const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: short })
  assert.strictEqual(answer.status, 422)
  const { code, context } = await answer.json()
  assert.strictEqual(code, "SIGNED_GAS_TOO_LOW")
  assert.isAbove(Number(context.estimated), Number(estimated) + 60 * 1_900)
  assert.strictEqual(timesSent(bench, short), 0)
  const enough = await signedWith(estimated + 200_000n)
  const sent = await submit(bench.service, owner, plan, { rawSignedTransaction: enough })
  assert.strictEqual(sent.status, 202)
  assert.strictEqual(timesSent(bench, enough), 1)
})
