/** A session, what happened to it on its chain so far, and what each command may come to. */
import { assert } from "vitest"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import { askLifecycle } from "../../sessions/support/LifecycleBench.ts"
import { type LiveSession, preparedSession, sessionBot } from "../../sessions/support/Operated.ts"
import { SESSIONS } from "../../sessions/support/SessionBench.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import { revokeBot } from "../../support/Bots.ts"
import { mine } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { signedFetch } from "../../support/SignedFetch.ts"
import { sqlOn } from "../../support/Sql.ts"
import { type CarriedStand, carriedOut, newBoundWallet } from "../carried/Stand.ts"
import type { Command } from "./Commands.ts"
import { type Happening, isRefused, type Shapes, told, type Use, use } from "./Events.ts"
import { assertTold, type Truth, truthOf } from "./Truth.ts"

interface Happened {
  readonly what: Happening
  readonly shapes: Shapes
  shape: string
  /** Where it is, as far as is known here. */
  block: bigint
}

export interface HeldModel {
  readonly stand: CarriedStand
  readonly live: LiveSession
  readonly base: bigint
  readonly happened: Array<Happened>
  readonly uses: Array<Use>
  /** What commands came to. */
  readonly outcomes: Record<string, number>
  isGrantRevoked: boolean
}

/** More than a local chain's two epochs. */
const FINAL_BLOCKS = 70
const METHODS = ["eth_getBlockByNumber", "eth_call", "eth_getCode"] as const

export const heightOf = async ({ chain }: Pick<CarriedStand, "chain">): Promise<bigint> =>
  BigInt(await rpc(chain.url, "eth_blockNumber"))

const count = ({ outcomes }: HeldModel, name: string) => {
  outcomes[name] = (outcomes[name] ?? 0) + 1
}

const read = ({ stand, live }: HeldModel, query = "") =>
  signedFetch(stand.service, live.owner, "GET", `${SESSIONS}/${live.session.id}${query}`)

export const storedNow = async (model: HeldModel): Promise<PublicSession> =>
  (await read(model, "?refresh=false")).json()

export const beginHeld = async (stand: CarriedStand, outcomes: HeldModel["outcomes"]): Promise<HeldModel> => {
  stand.proxy.clearFaults()
  const bound = await newBoundWallet(stand)
  const bot = await sessionBot(stand, bound.owner)
  const session = await preparedSession(stand, bound, bot)
  await mine(stand, 2)
  const live = { ...bound, bot, session }
  const base = await heightOf(stand)
  return { stand, live, base, happened: [], uses: [], outcomes, isGrantRevoked: false }
}

/** What it is told to be now is so. */
export const lookHeld = async (model: HeldModel): Promise<PublicSession> => {
  model.stand.proxy.clearFaults()
  const before = await storedNow(model)
  const truth = await truthOf(model.stand.chain.url, before)
  const answer = await read(model)
  const now: PublicSession = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(now))
  assertTold(before, now, truth, model)
  assert.deepEqual(await quotaIn(model), now.observation?.counters ?? [])
  count(model, `${now.state}${now.invalidation ? `: ${now.invalidation.reason}` : ""}`)
  return now
}

/** Of the same block, for nothing is mined meanwhile. */
const quotaIn = async ({ stand, live }: HeldModel): Promise<unknown> => {
  const path = `${SESSIONS}/${live.session.id}/quota`
  const { counters } = await (await signedFetch(stand.service, live.owner, "GET", path)).json()
  return counters ?? []
}

/** Through a node that fails: an answer, or a refusal that names it; what it tells is never taken for the chain. */
const lookBroken = async (model: HeldModel, fault: "drop" | "lost" | "reset", method: string) => {
  const before = await storedNow(model)
  const truth = await truthOf(model.stand.chain.url, before)
  const act = { kind: fault === "drop" ? ("drop" as const) : ("reset" as const) }
  model.stand.proxy.fault({ method, phase: fault === "lost" ? "after" : "before", act })
  const answer = await read(model)
  const now = await answer.json()
  model.stand.proxy.clearFaults()
  assert.notStrictEqual(answer.status, 500, JSON.stringify(now))
  if (answer.status === 200) assertTold(before, now, truth, model)
  else count(model, now.code)
  if (answer.status !== 200) assert.strictEqual((await storedNow(model)).state, before.state)
}

const note = async (model: HeldModel, what: Happening, shapes: Shapes, shape: string) =>
  model.happened.push({ what, shapes, shape, block: await heightOf(model.stand) })

const tell = async (model: HeldModel, what: "enable" | "revoke") => {
  const { status } = await truthOf(model.stand.chain.url, model.live.session)
  if (status !== (what === "enable" ? "none" : "enabled")) return
  await note(model, what, await told(model.stand, model.live, what), "alone")
}

const REFUSALS = [
  "SESSION_NOT_ACTIVE",
  "SESSION_BUDGET_EXHAUSTED",
  "USER_OPERATION_NONCE_RESERVED",
  "USER_OPERATION_NONCE_CHANGED",
  "PLAN_EVIDENCE_REORGED"
]

/** Admitted only where the model has it active, and where nothing of it is on its way. */
const useIt = async (model: HeldModel, { amount, conduct }: Extract<Command, { readonly do: "use" }>) => {
  if (model.isGrantRevoked) return
  const { url } = model.stand.chain
  const before = await storedNow(model)
  const { status } = await truthOf(url, before)
  const outcome = await use(model.stand, model.live, BigInt(amount), conduct)
  if (isRefused(outcome)) {
    count(model, `use: ${outcome.code}`)
    assert.include(REFUSALS, outcome.code)
    return
  }
  count(model, `use: ${conduct}`)
  assert.strictEqual(status, "enabled", "used, and not enabled")
  assert.isUndefined(before.revocation, "used, and to be revoked")
  model.uses.push(outcome)
  if (conduct !== "dropped") await note(model, "use", outcome.shapes, conduct)
}

const PLAN_REFUSALS = ["SESSION_NOT_ACTIVE", "SESSION_PLAN_NOT_REPLACEABLE", "SESSION_RETIREMENT_REQUIRED"]

const planIt = async (model: HeldModel, kind: "activation" | "revocation") => {
  const { stand, live } = model
  const before = await storedNow(model)
  const answer = await askLifecycle(stand.service, live.owner, `${kind}-plans`, live.session)
  const { code, installationConfirmed } = await answer.json()
  count(model, `${kind}: ${code ?? (installationConfirmed ? "done before" : "admitted")}`)
  if (answer.status !== 201) return assert.include(PLAN_REFUSALS, code)
  const { revocation, activation } = await storedNow(model)
  if (kind === "revocation") assert.isTrue(revocation !== undefined || installationConfirmed)
  else if (!installationConfirmed) assert.isUndefined(before.revocation, "enabled though to be revoked")
  if (kind === "activation") assert.isTrue(activation !== undefined || installationConfirmed)
}

/** What no reorganisation takes away: where it is gone, the local chain is at fault and no service. */
const assertStands = async ({ chain }: CarriedStand) =>
  assert.notStrictEqual(
    await rpc(chain.url, "eth_getCode", [GUARD, "latest"]),
    "0x",
    "the local chain has forgotten its contracts"
  )

/** Another shape of it, where there is one. */
const otherShape = ({ shapes, shape }: Happened): string =>
  [...shapes.keys()].find(other => other !== shape) ?? shape

const reorganise = async (model: HeldModel, { depth, into }: Extract<Command, { readonly do: "reorg" }>) => {
  const { stand, base, happened } = model
  const head = await heightOf(stand)
  const blocks = Math.min(depth, Number(head - base))
  if (blocks === 0) return
  const lost = happened.filter(({ block }) => block > head - BigInt(blocks))
  const back = into === "nothing" ? [] : lost
  for (const one of back) if (into === "another shape") one.shape = otherShape(one)
  const transactions = back.flatMap((one, index) =>
    (one.shapes.get(one.shape) ?? []).map(transaction => [transaction, Math.min(index, blocks - 1)] as const)
  )
  for (const hash of (await carriedOut(stand)).keys()) stand.onceCarriedOut.add(hash)
  await rpc(stand.chain.url, "anvil_reorg", [blocks, transactions])
  await assertStands(stand)
  count(model, `reorg of ${lost.length > 0 ? [...new Set(lost.map(({ what }) => what))].sort() : "nothing"}`)
  await lookHeld(model)
}

/** What was sent once may be put onto the chain by anybody; waited for, so that no block comes between a look and its truth. */
const sendAgain = async (model: HeldModel) => {
  const last = model.uses.at(-1)
  if (last === undefined) return
  for (const transaction of last.shapes.get("nested") ?? [])
    await rpc(model.stand.chain.url, "eth_sendTransactionSync", [transaction]).catch(() => undefined)
  await note(model, "use", last.shapes, "nested")
}

const RUN_OUT = `UPDATE plans SET created_at = 0, expires_at = 1 WHERE id IN (SELECT plan FROM session_plans WHERE session = $1)`

export const performHeld = async (model: HeldModel, command: Command): Promise<unknown> => {
  const { stand, live } = model
  switch (command.do) {
    case "look":
      return lookHeld(model)
    case "enable":
    case "revoke":
      return tell(model, command.do)
    case "use":
      return useIt(model, command)
    case "plan":
      return planIt(model, command.kind)
    case "mine":
      return mine(stand, command.blocks)
    case "settle":
      return mine(stand, FINAL_BLOCKS)
    case "reorg":
      return reorganise(model, command)
    case "again":
      return sendAgain(model)
    case "fault":
      return lookBroken(model, command.fault, METHODS[model.happened.length % METHODS.length] ?? METHODS[0])
    case "runOut":
      return sqlOn(stand.service.databaseUrl, RUN_OUT, [live.session.id])
    case "revokeGrant":
      model.isGrantRevoked = true
      return revokeBot(stand.service, live.owner, live.bot)
  }
}

const ENDS: Readonly<Record<Truth["status"], ReadonlyArray<string>>> = {
  none: ["prepared", "installing", "revoking", "expired", "stale"],
  enabled: ["active", "revoking", "stale"],
  revoked: ["revoked"]
}

/** Once nothing changes any more, all that was taken back is forgotten, and what is left over is what the guard says. */
export const endHeld = async (model: HeldModel): Promise<void> => {
  for (let looks = 0; looks < 2; looks++) {
    await mine(model.stand, FINAL_BLOCKS)
    await lookHeld(model)
  }
  const now = await lookHeld(model)
  const { status } = await truthOf(model.stand.chain.url, now)
  assert.include(ENDS[status], now.state)
  if (!model.isGrantRevoked) assert.notStrictEqual(now.state, "stale", now.invalidation?.reason)
  if (status === "revoked") assert.isTrue(now.reservationReleased)
}
