/** A session enabled or revoked by its wallet's owners: what it lets its key do said first, its plan carried out by their operation, and the guard looked at until it is so. */
import { AlteredPlan } from "../client/Errors.ts"
import type { Plan } from "../plans/Plan.ts"
import { isUnseen } from "../sessions/NothingEnabled.ts"
import type { PublicSession } from "../sessions/Session.ts"
import { carryAlone, carryingFlags } from "./CarryOut.ts"
import type { CommandOutcome, CommandTerminal, Flag } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { afterSending } from "./NotSigned.ts"
import { checkedSessionAt, revocableSessionAt, sayPolicy } from "./Sessions.ts"
import { sessionText } from "./SessionText.ts"
import { timeoutOf } from "./Watch.ts"

const OWNERS = ["plan-only", "yes", "out", "add-signature", "owner-key-file", "timeout"]

/** Of what owners sign. */
export const lifecycleFlags: ReadonlyArray<Flag> = carryingFlags.filter(({ name }) => OWNERS.includes(name))

export interface Lifecycle {
  readonly kind: "activation" | "revocation"
  /** Those in which nothing is left to do. */
  readonly done: ReadonlyArray<PublicSession["state"]>
}

interface Work extends Connection {
  readonly input: Input
}

const isDone = ({ done }: Lifecycle, { state }: PublicSession): boolean => done.includes(state)

const planned = async (
  { client }: Connection,
  { kind }: Lifecycle,
  session: PublicSession,
  idempotencyKey: string
): Promise<{ readonly plan: Plan; readonly replayed: boolean }> => {
  const { sessions } = client
  const ask = kind === "activation" ? sessions.planActivation : sessions.planRevocation
  const { plan, replayed } = await ask(session, { idempotencyKey })
  if (plan !== null) return { plan, replayed }
  throw new CliFailure(
    ExitCode.unconfirmed,
    `The guard has the session ${session.id} ${kind === "activation" ? "enabled" : "revoked"} already.`,
    `Look at it: "service session show ${session.id}".`
  )
}

/** What cannot be read keeps no owner from ending it. */
const sayEndedPolicy = (work: Work, terminal: CommandTerminal, session: PublicSession): Promise<void> =>
  sayPolicy(work, terminal, session).catch((failure: unknown) => {
    if (!(failure instanceof AlteredPlan)) throw failure
    terminal.note("Its policy cannot be read. To end it is safe all the same.")
  })

/** Until the guard says so, or for as long as the command may take. */
const settled = async (work: Work, lifecycle: Lifecycle, id: string): Promise<PublicSession> => {
  const signal = AbortSignal.timeout(timeoutOf(work.input) * 1000)
  const until = (session: PublicSession) => isDone(lifecycle, session) || session.state === "stale"
  return work.client.sessions.watch(id, { until, signal }).catch((failure: unknown) => {
    if (!signal.aborted) throw failure
    return work.client.sessions.show(id)
  })
}

/** What its guard does not have the owners cannot revoke: the plan alone keeps it from being enabled or used here. */
const givenUp = async (work: Work, lifecycle: Lifecycle, session: PublicSession): Promise<CommandOutcome> => {
  if (session.state !== "revoking") await planned(work, lifecycle, session, crypto.randomUUID())
  const now = await work.client.sessions.show(session.id)
  return { json: { session: now }, text: sessionText(now), exitCode: ExitCode.unconfirmed }
}

export const lifecycled = async (
  work: Work,
  lifecycle: Lifecycle,
  id: string,
  terminal: CommandTerminal
): Promise<CommandOutcome> => {
  const session =
    lifecycle.kind === "activation"
      ? await checkedSessionAt(work, id, work.input.address("bot"))
      : await revocableSessionAt(work, terminal, id)
  if (isDone(lifecycle, session)) return { json: { session }, text: sessionText(session) }
  if (lifecycle.kind === "activation") await sayPolicy(work, terminal, session)
  else await sayEndedPolicy(work, terminal, session)
  if (lifecycle.kind === "revocation" && isUnseen(session)) return givenUp(work, lifecycle, session)
  const create = (key: string) => planned(work, lifecycle, session, key)
  const meaning = [`session ${lifecycle.kind}`, id]
  const outcome = await carryAlone({ ...work, isWallets: true, isOnce: true, meaning, create }, terminal)
  if (outcome.exitCode !== ExitCode.ok || work.input.has("plan-only")) return outcome
  const now = await settled(work, lifecycle, id).catch((failure: unknown) => {
    throw afterSending(failure, outcome.text, `service session show ${id}`)
  })
  return {
    json: { session: now, plan: outcome.json },
    text: `${outcome.text}\n${sessionText(now)}`,
    exitCode: isDone(lifecycle, now) ? ExitCode.ok : ExitCode.unconfirmed
  }
}
