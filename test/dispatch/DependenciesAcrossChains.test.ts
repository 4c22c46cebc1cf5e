import { readFileSync } from "node:fs"
import type { Hex } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { startAnvil } from "../support/Anvil.ts"
import { bundled, courseOf, type Item } from "../support/Bundles.ts"
import { mined } from "../support/Mined.ts"
import { callOf, payment, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { startRecordingProxy } from "../support/RecordingProxy.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { sendDirectly } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { chainSettings, contractId, NATIVE_TOKEN } from "../support/Sandbox.ts"
import { startService } from "../support/Service.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"

const OTHER = 84532

/** Where the other chain's pinned deployment of a contract is. */
const publishedAt = (id: string): string => {
  const rows: ReadonlyArray<{ chainId: number; contractId: string; address: string; retired: boolean }> =
    JSON.parse(readFileSync("schema/protocol/deployments.json", "utf8"))
  const found = rows.find(row => row.chainId === OTHER && row.contractId === id && !row.retired)
  return found?.address ?? assert.fail(`${id} is not on chain ${OTHER}`)
}

const first = await startRelayBench()
const chain = await startAnvil({ args: ["--chain-id", String(OTHER)] })
const proxy = await startRecordingProxy({ upstream: chain.url })
await rpc(chain.url, "anvil_setCode", [publishedAt(contractId(first.manifest, "JBProjects")), "0x00"])
await rpc(chain.url, "anvil_mine", ["0x1"])
const chains = [
  ...chainSettings(first.proxy.url),
  ...chainSettings(proxy.url).map(settings => ({ ...settings, chainId: OTHER }))
]
const { audience, databaseUrl } = first.service
const service = await startService({ databaseUrl, overlays: [first.overlay], settings: { chains, audience } })

afterAll(async () => {
  await service.stop()
  await proxy.stop()
  await chain.stop()
  await first.stop()
})

const bench = () => ({ ...first, service })

/** Succeeds without a trace, and no predicate knows it. */
const approvalThere = (dependsOn: ReadonlyArray<number>) => ({
  chainId: OTHER,
  contractId: contractId(first.manifest, "JBProjects"),
  function: "setApprovalForAll(address,bool)",
  args: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", true],
  dependsOn
})

const paying = (beneficiary: string, memo: string) => [
  "2",
  NATIVE_TOKEN,
  "1000",
  beneficiary,
  "0",
  memo,
  "0x"
]

const mineThere = (blocks: number) => rpc(chain.url, "anvil_mine", [`0x${blocks.toString(16)}`])

/** A payment here, then a call on the other chain, whose head may not be old, then what rests on that alone. */
const chained = async (last: (owner: Party) => Readonly<Record<string, unknown>>) => {
  const owner = await newPayer(bench())
  await rpc(chain.url, "anvil_setBalance", [owner.key.address, `0x${(10n ** 21n).toString(16)}`])
  await mineThere(1)
  const calls = [payment(first, owner.key.address), approvalThere([0]), last(owner)]
  const plan = await planned(bench(), owner, { calls })
  return { owner, plan, refresh: () => refreshed(service, owner, plan) }
}

const signedStep = (owner: Party, plan: Plan, step: number, nonce: number): Promise<Hex> =>
  signCall(first, owner, callOf(plan, step), { nonce })

const relay = (owner: Party, plan: Plan, step: number, raw: Hex) =>
  submitted(service, owner, plan, { rawSignedTransaction: raw }, { step })

const states = ({ steps }: Plan) => steps.map(({ state }) => state)

describe("a chain of steps over two chains", () => {
  it("is blocked to its end when its beginning leaves its chain", async () => {
    const { owner, plan, refresh } = await chained(({ key }) =>
      payment(first, key.address, { dependsOn: [1], args: paying(key.address, "last") })
    )
    const root = await signedStep(owner, plan, 0, 0)
    await relay(owner, plan, 0, root)
    await mined(first, root)
    await mine(first, 1)
    const middle = await signedStep(owner, plan, 1, 0)
    await relay(owner, plan, 1, middle)
    await mineThere(2)
    const open = await refresh()
    assert.deepStrictEqual(states(open), ["confirmed", "confirmed", "ready"])
    assert.strictEqual(stepOf(open, 1).semantic?.status, "unmodeled")
    await rpc(first.chain.url, "anvil_reorg", [2, []])
    const closed = await refresh()
    assert.deepStrictEqual(states(closed), ["reorged", "confirmed", "blocked"])
    assert.deepStrictEqual(stepOf(closed, 2).blockedBy, [0])
    const end = await signedStep(owner, plan, 2, 0)
    const answer = await submit(service, owner, plan, { rawSignedTransaction: end }, { step: 2 })
    const { context } = await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
    assert.deepStrictEqual(context, { blockedBy: [0] })
    assert.strictEqual(timesSent(first, end), 0)
    await sendDirectly(first, root)
    await mine(first, 1)
    await relay(owner, plan, 2, await signedStep(owner, plan, 2, 1))
    await mine(first)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
  })

  it("waits for a chain that cannot be read", async () => {
    const { owner, plan, refresh } = await chained(() => approvalThere([1]))
    await relay(owner, plan, 0, await signedStep(owner, plan, 0, 0))
    await mine(first)
    await refresh()
    const middle = await signedStep(owner, plan, 1, 0)
    const receipt = "eth_getTransactionReceipt"
    first.proxy.fault({ method: receipt, phase: "before", act: { kind: "status", status: 503 } })
    const answer = await submit(service, owner, plan, { rawSignedTransaction: middle }, { step: 1 })
    await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
    assert.strictEqual(timesSent({ proxy }, middle), 0)
    await relay(owner, plan, 1, middle)
    assert.strictEqual(timesSent({ proxy }, middle), 1)
  })

  it("is carried by a bundle, each transaction on its own chain", async () => {
    const { owner, plan, refresh } = await chained(() => approvalThere([]))
    const order = [
      [0, 0],
      [2, 0],
      [1, 1]
    ] as const
    const items: ReadonlyArray<Item> = await Promise.all(
      order.map(async ([stepIndex, nonce]) => ({
        stepIndex,
        rawSignedTransaction: await signedStep(owner, plan, stepIndex, nonce)
      }))
    )
    const idempotencyKey = `across-${plan.id}`
    const go = async () => courseOf(await bundled(service, owner, plan, items, { idempotencyKey }))
    const stopped = { complete: false, done: [0, 2], stoppedAt: 2, code: "DEPENDENCIES_UNCONFIRMED" }
    assert.deepStrictEqual(await go(), { ...stopped, remaining: [1] })
    await mine(first)
    assert.deepStrictEqual(await go(), { complete: true, done: [0, 2, 1] })
    await mineThere(2)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    assert.deepStrictEqual(
      items.map(({ rawSignedTransaction: raw }) => [timesSent(first, raw), timesSent({ proxy }, raw)]),
      [
        [1, 0],
        [0, 1],
        [0, 1]
      ]
    )
  })
})
