/** One relay through the phases of its cell: the fault strikes in one of them, is lifted, and the step must end right. */
import { assert } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import { callOf, contractCalls, payment, requestPlan, stepOf } from "../../support/PlannedCalls.ts"
import { mine, newPayer, newRelayBot } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { hashOf, signCall } from "../../support/SignedCalls.ts"
import { freshNonce, type Party, signedFetch } from "../../support/SignedFetch.ts"
import { approvedStep, signApproval } from "../../support/StepApproval.ts"
import { submit } from "../../support/Submissions.ts"
import type { Chance } from "../crash/Chance.ts"
import type { Cell } from "./Cells.ts"
import type { Stand } from "./Stand.ts"
import { aim, type Strikes, type Target, targetOf, unsettle } from "./Strikes.ts"
import { type Heard, heard } from "./Told.ts"

const SEND = "eth_sendRawTransaction"
const LOOK = "eth_getTransactionByHash"
const ATTEMPTS = 8

type Body = Readonly<Record<string, unknown>>

export interface Relay {
  readonly owner: Party
  readonly actor: Party
  readonly plan: Plan
  readonly raw: `0x${string}`
  readonly key: `0x${string}`
  readonly revoked: boolean
  /** What is submitted under the relay's key. */
  readonly first: Body
  /** The same, approved afresh where a bot submits. */
  readonly again: () => Promise<Body>
  /** Where the transactions begin that this relay sent. */
  readonly begun: number
}

const nothing: Strikes = { lift: () => {}, count: () => 0 }

const prepare = async (stand: Stand, target: Target, actor: Party, owner: Party, chance: Chance) => {
  const { bench } = stand
  const body = contractCalls(owner, [payment(bench, owner.key.address)])
  const idempotencyKey = freshNonce()
  const request = () => requestPlan(bench.service, actor, body, { idempotencyKey })
  let strikes = nothing
  if (target.phase === "prepare") {
    await unsettle(stand, target, request)
    strikes = await aim(stand, target, chance)
    const { plan } = await heard(stand, await request())
    if (plan !== undefined) await simulated(stand, actor, plan)
    strikes.lift()
  }
  const plan = await persuaded(async () => heard(stand, await request()))
  if (target.phase === "prepare" && strikes.count() === 0) {
    strikes = await aim(stand, target, chance)
    await simulated(stand, actor, plan)
    strikes.lift()
  }
  return { plan, strikes }
}

const simulated = async (stand: Stand, actor: Party, { id }: Plan) =>
  heard(stand, await signedFetch(stand.bench.service, actor, "GET", `/api/v1/plans/${id}/steps/0/simulation`))

/** A node that was bad a moment ago may be left alone for a while, but not for ever. */
const persuaded = async (ask: () => Promise<Heard>): Promise<Plan> => {
  const codes: Array<string | undefined> = []
  while (codes.length < ATTEMPTS) {
    const { plan, code } = await ask()
    if (plan !== undefined) return plan
    codes.push(code)
  }
  return assert.fail(`an honest node is not believed: ${codes.join(", ")}`)
}

const begin = async (stand: Stand, target: Target, chance: Chance) => {
  const { bench } = stand
  const owner = await newPayer(bench)
  const actor = chance.happens(0.4) ? await newRelayBot(bench, owner) : owner
  const begun = bench.proxy.sent().length
  const { plan, strikes } = await prepare(stand, target, actor, owner, chance)
  const raw = await signCall(bench, owner, callOf(plan))
  const again = async () => ({
    rawSignedTransaction: raw,
    ...(actor.grantId === undefined
      ? {}
      : { ownerApproval: await signApproval(owner.key, bench.service, approvedStep(actor, plan, raw)) })
  })
  const first = await again()
  return {
    strikes,
    relay: { owner, actor, plan, raw, key: freshNonce(), revoked: false, first, again, begun }
  }
}

export const submitOnce = async (
  { bench }: Stand,
  { actor, plan, key, first, again }: Relay,
  idempotencyKey: string = key
) => submit(bench.service, actor, plan, idempotencyKey === key ? first : await again(), { idempotencyKey })

/** A refused submission has claimed nothing and sent nothing. */
const checkRefused = async ({ bench, sql }: Stand, { plan, begun }: Relay) => {
  assert.strictEqual(bench.proxy.sent().length, begun, "sent although it was refused")
  const bound = await sql("SELECT 1 FROM transport_bindings WHERE plan = $1", [plan.id])
  assert.strictEqual(bound.length, 0, "bound although it was refused")
}

const dispatchStruck = async (stand: Stand, target: Target, relay: Relay, chance: Chance) => {
  const { proxy, service } = stand.bench
  if (target.phase === "send" && target.aimed === LOOK)
    proxy.fault({ method: SEND, phase: chance.pick(["before", "after"]), act: { kind: "reset" } })
  const simulation = `/api/v1/plans/${relay.plan.id}/steps/0/simulation`
  await unsettle(stand, target, () => signedFetch(service, relay.actor, "GET", simulation))
  const strikes = await aim(stand, target, chance)
  const { code } = await heard(stand, await submitOnce(stand, relay))
  if (code !== undefined) await checkRefused(stand, relay)
  strikes.lift()
  return strikes
}

const dispatchHonestly = async (stand: Stand, target: Target, relay: Relay) => {
  if (target.aimed === LOOK) stand.bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "drop" } })
  const plan = await persuaded(async () => heard(stand, await submitOnce(stand, relay)))
  assert.isDefined(stepOf(plan).transaction)
}

export const refreshOnce = ({ bench }: Stand, { owner, plan }: Relay) =>
  signedFetch(bench.service, owner, "GET", `/api/v1/plans/${plan.id}?refresh=true`)

const showOnce = ({ bench }: Stand, { owner, plan }: Relay) =>
  signedFetch(bench.service, owner, "GET", `/api/v1/plans/${plan.id}`)

/** By the client's refresh or by recovery, which sends nothing. */
const watch = async (stand: Stand, relay: Relay, by: "refresh" | "recovery"): Promise<Heard> => {
  const sent = stand.bench.proxy.sent().length
  if (by === "recovery") await stand.recover(relay.plan.id)
  const seen = await heard(
    stand,
    await (by === "refresh" ? refreshOnce(stand, relay) : showOnce(stand, relay))
  )
  assert.strictEqual(stand.bench.proxy.sent().length, sent, "sent by looking")
  return seen
}

const watchStruck = async (stand: Stand, target: Target, relay: Relay, chance: Chance) => {
  const blocks = chance.below(4)
  if (blocks > 0) await mine(stand.bench, blocks)
  if (chance.happens(0.5)) await watch(stand, relay, "refresh")
  const strikes = await aim(stand, target, chance)
  await watch(stand, relay, target.phase === "recovery" ? "recovery" : "refresh")
  strikes.lift()
  return strikes
}

const isKnown = async ({ bench }: Stand, { raw }: Relay): Promise<boolean> =>
  (await rpc(bench.chain.url, LOOK, [hashOf(raw)])) !== null

/** The same bytes again, under the same key first, until the honest node has them. */
const resubmitted = async (stand: Stand, relay: Relay) => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { plan } = await heard(
      stand,
      await submitOnce(stand, relay, attempt === 0 ? relay.key : freshNonce())
    )
    if (plan !== undefined && (await isKnown(stand, relay))) return
    await stand.sql("UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [relay.plan.id])
  }
  assert.fail("the bytes do not reach an honest node")
}

/** After a revocation nothing of the bot is dispatched any more. */
const revoke = async (stand: Stand, relay: Relay) => {
  const { service, proxy } = stand.bench
  const answer = await signedFetch(
    service,
    relay.owner,
    "DELETE",
    `/api/v1/accounts/me/bots/${relay.actor.grantId}`
  )
  assert.strictEqual(answer.status, 200)
  const sent = proxy.sent().length
  await stand.sql("UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [relay.plan.id])
  assert.strictEqual((await submitOnce(stand, relay, freshNonce())).status, 403)
  assert.strictEqual(proxy.sent().length, sent, "sent after the revocation")
  return { ...relay, revoked: true }
}

const strike = async (stand: Stand, target: Target, relay: Relay, chance: Chance) => {
  if (target.phase === "preflight" || target.phase === "send")
    return dispatchStruck(stand, target, relay, chance)
  await dispatchHonestly(stand, target, relay)
  return target.phase === "prepare" ? nothing : watchStruck(stand, target, relay, chance)
}

/** What a chain that knows the bytes, or does not, makes of the plan in the end. */
const isRight = (plan: Plan, known: boolean): boolean => {
  const { transaction, state } = stepOf(plan)
  if (transaction === undefined) return state === "ready"
  return known ? plan.status === "transactions_confirmed" : state === "unknown"
}

/** One look may meet a node that is slow for once, not every look. */
const checkEnd = async (stand: Stand, relay: Relay, by: "refresh" | "recovery") => {
  await mine(stand.bench)
  const known = await isKnown(stand, relay)
  assert.isTrue(relay.revoked || known)
  let plan = await persuaded(() => watch(stand, relay, by))
  for (let attempt = 1; attempt < ATTEMPTS && !isRight(plan, known); attempt++)
    plan = await persuaded(() => watch(stand, relay, by))
  assert.isTrue(isRight(plan, known), `ends as ${plan.status}, ${stepOf(plan).state}`)
}

export const runRelay = async (stand: Stand, cell: Cell, chance: Chance) => {
  const target = targetOf(cell, chance)
  const { relay, strikes: prepared } = await begin(stand, target, chance)
  const struck = await strike(stand, target, relay, chance)
  const ends = relay.actor.grantId !== undefined && chance.happens(0.25) ? await revoke(stand, relay) : relay
  if (!ends.revoked) await resubmitted(stand, ends)
  await checkEnd(stand, ends, chance.pick(["refresh", "recovery"]))
  const strikes = target.phase === "prepare" ? prepared : struck
  return { relay: ends, direct: target.direct, struck: strikes.count() > 0 }
}
