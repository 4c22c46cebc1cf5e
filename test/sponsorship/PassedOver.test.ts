/** A batch that is mined again in another place may revert, or pass a request over: that spends no nonce of it and executes nothing of it, and what executes it later is found. */
import { encodeFunctionData, type Hex, toHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, it } from "vitest"
import { forwarderAbi } from "../sandbox/support/Forwarding.ts"
import { payment } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { until } from "../support/Until.ts"
import {
  ANYBODY,
  BLOCKS_TO_FINALITY,
  confirm,
  execute,
  leave,
  look,
  observationOf,
  type Publication,
  publication,
  requestOf,
  startExecutingBench
} from "./support/Executing.ts"
import { authorizationOf } from "./support/Sponsored.ts"

const bench = await startExecutingBench()
afterAll(() => bench.stop())

const statusOf = async (hash: Hex) => {
  const receipt = await until(
    () => rpc(bench.chain.url, "eth_getTransactionReceipt", [hash]),
    found => found !== null
  )
  return receipt.status
}

/** Of these requests, to be sent as often as its block is lost. */
const batchOf = async (
  publications: ReadonlyArray<readonly [Publication, number]>,
  refundReceiver: `0x${string}`
) => {
  const relayer = privateKeyToAccount(generatePrivateKey())
  const [[first] = assert.fail("no request")] = publications
  const requests = publications.map(([made, index]) => requestOf(made, index))
  const raw = await relayer.signTransaction({
    type: "eip1559",
    chainId: Number(await rpc(bench.chain.url, "eth_chainId", [])),
    nonce: 0,
    to: authorizationOf(first.sponsorship).forwarder,
    data: encodeFunctionData({
      abi: forwarderAbi,
      functionName: "executeBatch",
      args: [requests, refundReceiver]
    }),
    value: requests.reduce((sum, { value }) => sum + value, 0n),
    gas: 5_000_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 1n
  })
  return async (): Promise<Hex> => {
    await rpc(bench.chain.url, "anvil_setBalance", [relayer.address, toHex(10n ** 20n)])
    return rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
  }
}

const seen = async (made: Publication, index = 0) => {
  const { sponsorship } = await look(bench, made)
  const { state, hash, semantic } = sponsorship.observations[index] ?? assert.fail("no observation")
  return { state, hash, reason: semantic?.reason, next: sponsorship.nextAction.kind }
}

it("of a request whose batch reverts now nothing is taken for good, and its execution is found", async () => {
  const one = await publication(bench, { lie: "executes-never" })
  const other = await publication(bench, { lie: "executes-never" })
  const send = await batchOf(
    [
      [one, 0],
      [other, 0]
    ],
    "0x0000000000000000000000000000000000000000"
  )
  const hash = await send()
  assert.strictEqual(await statusOf(hash), "0x1")
  await confirm(bench)
  assert.strictEqual((await seen(one)).state, "confirmed")
  await leave(bench, hash)
  assert.strictEqual((await seen(one)).state, "reorged")
  await execute(bench, other)
  assert.strictEqual(await send(), hash)
  assert.strictEqual(await statusOf(hash), "0x0")
  await confirm(bench)
  const { state, next } = await seen(one)
  assert.strictEqual(state, "reorged")
  assert.notStrictEqual(next, "none")
  await mine(bench, BLOCKS_TO_FINALITY)
  const later = await seen(one)
  assert.strictEqual(later.state, "reorged")
  assert.notStrictEqual(later.next, "none")
  const executed = await execute(bench, one)
  await confirm(bench)
  const last = observationOf((await look(bench, one)).sponsorship)
  assert.strictEqual(last.state, "confirmed")
  assert.strictEqual(last.hash, executed)
})

it("a request that its batch passes over now is told by no transaction that did nothing of it", async () => {
  const pay = payment(bench, ANYBODY)
  const made = await publication(bench, { calls: [pay, pay], lie: "executes-never" })
  const send = await batchOf([[made, 1]], ANYBODY)
  const first = await execute(bench, made, 0)
  const hash = await send()
  assert.strictEqual(await statusOf(hash), "0x1")
  await confirm(bench)
  assert.strictEqual((await seen(made, 1)).state, "confirmed")
  await leave(bench, first)
  assert.strictEqual(await send(), hash)
  assert.strictEqual(await statusOf(hash), "0x1")
  await confirm(bench)
  assert.strictEqual((await seen(made, 1)).state, "reorged")
  await execute(bench, made, 0)
  const executed = await execute(bench, made, 1)
  await mine(bench, BLOCKS_TO_FINALITY)
  const { state, hash: told } = await seen(made, 1)
  assert.strictEqual(state, "confirmed")
  assert.strictEqual(told, executed)
})
