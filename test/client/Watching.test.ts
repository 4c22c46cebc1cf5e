/** How often what is not decided is looked at: when the service says. */
import { Schema } from "effect"
import { assert, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { commitmentOf } from "../../src/client/Commitment.ts"
import { isSettled } from "../../src/client/WatchPlan.ts"
import type { Step } from "../../src/plans/Plan.ts"
import { Bytes32 } from "../../src/values/Scalars.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord, receiptRecord, stepRecord } from "./support/PlanRecords.ts"
import { json, type Scripted, scriptedFetch } from "./support/ScriptedFetch.ts"

const SERVICE = "http://service.test"

const clientFor = (script: ReadonlyArray<Scripted>) => {
  const signer = newKey()
  const system = heldSystem(1_800_000_000_000)
  const { fetch, sent } = scriptedFetch(script)
  const identity = { account: accountOf(signer.address), signer, audience: SERVICE }
  return { client: createClient({ baseUrl: SERVICE, ...identity, system, fetch }), system, sent }
}

const shown = (state: string, nextAction: unknown) => json(200, { state, nextAction, observations: [] })

it("a sponsorship is looked at again when it says so", async () => {
  const { client, system, sent } = clientFor([
    shown("submitting", { kind: "wait", retryAfterMs: 1_000 }),
    shown("submission_unknown", { kind: "wait", retryAfterMs: 30_000 }),
    shown("submission_unknown", { kind: "wait", retryAfterMs: 30_000 }),
    shown("executing", { kind: "wait" }),
    shown("completed", { kind: "none" })
  ])
  const states: Array<string> = []
  await client.sponsorships.watch("8b7c5f0a", { onProgress: ({ state }) => states.push(state) })
  assert.deepStrictEqual(states, ["submitting", "submission_unknown", "executing", "completed"])
  assert.deepStrictEqual(system.slept, [1_000, 30_000, 30_000, 500])
  assert.isTrue(sent.every(({ url }) => url.endsWith("?refresh=true")))
})

const PLAN_ENDS = 1_800_000_300

it.each([
  ["installing", "activation"],
  ["revoking", "revocation"]
])("a session that is %s is looked at until its %s can be executed no more", async (state, kind) => {
  const told = { state, revision: 0, [kind]: { expiresAt: PLAN_ENDS * 1000 } }
  const seenAt = (seconds: number) =>
    json(200, { ...told, observation: { evidence: { timestamp: String(seconds) } } })
  const { client, sent } = clientFor([json(200, told), seenAt(PLAN_ENDS), seenAt(PLAN_ENDS + 1)])
  await client.sessions.watch("8b7c5f0a")
  assert.strictEqual(sent.length, 3)
})

const hash = (byte: string) => `0x${byte.repeat(32)}` as const

const transaction = {
  hash: hash("11"),
  sender: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  chainId: 31_337,
  nonce: "0",
  type: "eip1559",
  gas: "21000",
  maximumFeePerGas: "1",
  maximumCost: "21000",
  costScope: ""
} as const

const replaced = (state: "unknown" | "reorged"): Step =>
  stepRecord({ state, transaction, semantic: { status: "unknown", reason: "WALLET_NONCE_CONSUMED" } })

const leftUnknown = (receipt: Parameters<typeof receiptRecord>[0]): Step =>
  stepRecord({
    state: "confirmed",
    transaction,
    semantic: { status: "unknown" },
    receipt: receiptRecord(receipt)
  })

/** The plan as the service shows it each time, and a client that carries it out. */
const carriedWith = async (...steps: ReadonlyArray<Step>) => {
  const wallet = newKey()
  const account = accountOf(wallet.address)
  const record = planRecord({ account: wallet.address, status: "pending" })
  const commitment = Schema.decodeUnknownSync(Bytes32)(
    await commitmentOf(record, { accountId: account, principalId: `owner:${account}` })
  )
  const { fetch, sent } = scriptedFetch(
    steps.map(step => () => json(200, { ...record, commitment, steps: [step] }))
  )
  const system = heldSystem(1_800_000_000_000)
  const client = createClient({ baseUrl: SERVICE, audience: SERVICE, account, signer: wallet, system, fetch })
  const carried = await client.plans.carryOut({ ...record, commitment }, { wallet, rpc: "http://node.test" })
  return { carried, sent }
}

it.each([
  [{ finality: "safe" }, { finality: "finalized" }],
  [
    { finality: "unknown", confirmations: 255 },
    { finality: "unknown", confirmations: 256 }
  ]
] as const)(
  "a plan is carried out no further than a step whose effects stay unknown after finality: %j, then %j",
  async (before, after) => {
    const [open, final] = [leftUnknown(before), leftUnknown(after)]
    const { carried, sent } = await carriedWith(open, open, final, final)
    assert.deepStrictEqual([carried.status, sent.length], ["pending", 4])
  }
)

it.each(["unknown", "reorged"] as const)(
  "a plan is carried out no further than a step that is %s and whose nonce another has for good, and nothing of it is sent again",
  async state => {
    const step = replaced(state)
    const { carried, sent } = await carriedWith(step, step, step)
    assert.deepStrictEqual([carried.steps, sent.map(({ method }) => method)], [[step], ["GET", "GET", "GET"]])
    assert.isTrue(isSettled(carried, carried.expiresAt))
    assert.isFalse(isSettled({ ...carried, steps: [stepRecord({ state, transaction })] }, carried.expiresAt))
  }
)
