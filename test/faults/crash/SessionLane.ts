/** Leads processes to their deaths while sessions are prepared, admitted, looked at, used, retired and swept, each of a wallet of its own. */
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicSession, SessionStatus } from "../../../src/sessions/Session.ts"
import { rpc } from "../../support/Rpc.ts"
import { type Holder, type Lifecycle, newHolder } from "./Holder.ts"
import { type Deed, led, type OperationStage, performPlanned } from "./OperationLane.ts"
import { newKey } from "./Speaker.ts"
import { arm } from "./Strike.ts"

const LOOKS = 200
const LOOKS_APART = 33
const LOOK_MILLIS = 150
/** Several blocks, on a machine that has much else to do. */
const PATIENCE_MILLIS = 60_000
const SWEEP_ROUNDS = 20
const BY_OPERATION = 0.4
const REVOKED = 0.5
const USED_AGAIN = 0.4
/** Longer ago than a plan is waited for once it ran out. */
const LAPSED_MILLIS = 90_000

const sleep = () => new Promise<void>(resolve => setTimeout(resolve, LOOK_MILLIS))

/** A session that a run has brought about. */
export interface BroughtSession {
  readonly session: PublicSession
  readonly look: () => Promise<PublicSession>
}

export interface SessionStage extends OperationStage {
  readonly held: Array<BroughtSession>
  /** What a client was told that it must not be. */
  readonly broken: Array<string>
}

const lookUntil = async (holder: Holder, session: PublicSession, isSo: (now: PublicSession) => boolean) => {
  const patience = Date.now() + PATIENCE_MILLIS
  for (;;) {
    const seen = await holder.look(session)
    if (isSo(seen)) return seen
    if (Date.now() > patience)
      throw new Error(`${session.id} did not come to be what it must in ${PATIENCE_MILLIS / 1000} s`)
    await sleep()
  }
}

const isIn = (wanted: SessionStatus) => (session: PublicSession) => session.state === wanted

/** E10: another key gets neither its nonce nor its generation, whatever died when it was prepared. */
const namesAreTaken = async ({ broken }: SessionStage, holder: Holder, { id, nonce }: PublicSession) => {
  const fresh = await holder.draft()
  const twins = [{ ...fresh, key: newKey(), body: { ...Object(fresh.body), nonce, generation: "7" } }, fresh]
  for (const twin of twins) {
    const { session, code } = await holder.propose(twin)
    if (code !== "SESSION_CONFLICT") broken.push(`${id} shares its names: ${code ?? session?.id}`)
  }
}

const prepared = async (stage: SessionStage, holder: Holder, deed: Deed): Promise<PublicSession> => {
  const draft = await holder.draft()
  const isTarget = deed.plot.target === "session"
  if (isTarget)
    await led(
      stage,
      deed,
      () => holder.propose(draft, deed.victim.url),
      () => holder.propose(draft)
    )
  const session = await holder.prepare(draft)
  stage.held.push({ session, look: () => holder.look(session) })
  if (isTarget) await namesAreTaken(stage, holder, session)
  return session
}

/** One plan, whoever asked for it and under which key. */
const admitted = async (
  stage: SessionStage,
  holder: Holder,
  session: PublicSession,
  { kind, deed }: { readonly kind: Lifecycle; readonly deed: Deed | undefined }
): Promise<Plan> => {
  const key = newKey()
  if (deed !== undefined)
    await led(
      stage,
      deed,
      () => holder.admit(kind, session, key, deed.victim.url),
      () => holder.admit(kind, session, stage.chance.happens(0.5) ? key : newKey())
    )
  await holder.admit(kind, session, key)
  return holder.planOf(kind, session)
}

const NOWHERE: Pick<Deed["plot"], "target"> = { target: "observe" }

/** By the owners' operation of the admitted plan, or by a transaction of their own where that is not to be, or is too late. */
const executed = async (
  stage: SessionStage,
  holder: Holder,
  session: PublicSession,
  { kind, plan, deed }: { readonly kind: Lifecycle; readonly plan: Plan; readonly deed: Deed }
) => {
  const isDone = ({ observation }: PublicSession) =>
    kind === "activation" ? observation?.enabled === true : observation?.enabled === false
  if (stage.chance.happens(BY_OPERATION)) {
    await performPlanned(stage, holder.operator, plan, { ...deed, plot: { ...deed.plot, ...NOWHERE } })
    if (isDone(await holder.look(session))) return
  }
  await holder.tell(session, kind)
}

const used = async (stage: SessionStage, holder: Holder, session: PublicSession, deed: Deed) => {
  const operations = holder.using(session)
  const beside = stage.chance.happens(USED_AGAIN)
    ? await operations.prepare(await holder.payment(), newKey())
    : undefined
  const first = performPlanned(stage, operations, await holder.payment(), deed)
  if (beside !== undefined) {
    stage.operated.push({ ...beside, look: to => operations.look(beside, to) })
    await Promise.all([first, operations.send(beside, newKey())])
  }
  await first
}

/** E7: from then on nothing is admitted under it. */
const isOver = async ({ broken }: SessionStage, holder: Holder, session: PublicSession) => {
  const { code, operation } = await holder.tryUse(session, await holder.payment())
  if (code !== "SESSION_NOT_ACTIVE")
    broken.push(`${session.id} is revoked and used: ${code ?? operation?.id}`)
}

const finalBlock = async ({ around }: SessionStage): Promise<bigint> =>
  BigInt((await rpc(around.world.chainUrl, "eth_getBlockByNumber", ["finalized", false])).number)

const retired = async (stage: SessionStage, holder: Holder, seen: PublicSession, deed: Deed) => {
  const since = BigInt(seen.observation?.evidence.blockNumber ?? 0)
  while ((await finalBlock(stage)) < since) await sleep()
  await led(
    stage,
    deed,
    () => holder.look(seen, deed.victim.url),
    () => holder.look(seen)
  )
  await lookUntil(holder, seen, ({ reservationReleased }) => reservationReleased)
  const next = await holder.prepare(await holder.draft("2"))
  await holder.admit("activation", next, newKey())
  stage.held.push({ session: next, look: () => holder.look(next) })
}

const RUN_OUT = `UPDATE plans SET created_at = unix_millis() - 900000, expires_at = unix_millis() - ${LAPSED_MILLIS} WHERE id = $1`
const DUE = "UPDATE sessions SET sweep_at = 0 WHERE id = $1"

/** Its plan runs out unsent, again and again, until the victim is the one that sweeps what it reserved. */
const lapsed = async (
  stage: SessionStage,
  holder: Holder,
  session: PublicSession,
  { victim, plot }: Deed
) => {
  const { sql } = stage.around.world
  await arm(victim, plot.blow, () => {})
  for (let round = 0; round < SWEEP_ROUNDS && victim.isAlive(); round++) {
    await holder.admit("activation", session, newKey())
    const { id } = await holder.planOf("activation", session)
    await sql(RUN_OUT, [id])
    for (let looks = 0; looks < LOOKS; looks++) {
      /** A look that a busy machine failed is tried again only after its back-off. */
      if (looks % LOOKS_APART === 0) await sql(DUE, [session.id])
      if ((await holder.look(session, undefined, "?refresh=false")).reservationReleased) break
      await sleep()
    }
  }
  const next = await holder.prepare(await holder.draft("2"))
  const { code } = await holder.admit("activation", next, newKey())
  if (code !== undefined) stage.broken.push(`${session.id} keeps its wallet: ${code}`)
  stage.held.push({ session: next, look: () => holder.look(next) })
}

export const performSession = async (stage: SessionStage, deed: Deed): Promise<void> => {
  const { target } = deed.plot
  const holder = await newHolder(stage.around)
  const session = await prepared(stage, holder, deed)
  if (target === "lapse") return lapsed(stage, holder, session, deed)
  const hit = target === "admit" ? stage.chance.pick<Lifecycle>(["activation", "revocation"]) : undefined
  const act = async (kind: Lifecycle) => {
    const plan = await admitted(stage, holder, session, { kind, deed: hit === kind ? deed : undefined })
    if (kind === "revocation") await isOver(stage, holder, session)
    await executed(stage, holder, session, { kind, plan, deed })
  }
  await act("activation")
  if (target === "observe")
    await led(
      stage,
      deed,
      () => holder.look(session, deed.victim.url),
      () => holder.look(session)
    )
  await lookUntil(holder, session, isIn("active"))
  if (target !== "admit" && target !== "retire") await used(stage, holder, session, deed)
  if (hit !== "revocation" && target !== "retire" && !stage.chance.happens(REVOKED)) return
  await act("revocation")
  const seen = await lookUntil(holder, session, isIn("revoked"))
  if (target === "retire") await retired(stage, holder, seen, deed)
}
