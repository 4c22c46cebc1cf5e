/** What a session's key is to do, and what it began: only what is still to be signed needs the session active, and what left is followed whatever became of it. */
import { ServiceProblem } from "../client/Errors.ts"
import type { Plan } from "../plans/Plan.ts"
import type { PublicSession } from "../sessions/Session.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { type CliFailure, usageFailure } from "./Failure.ts"
import { keptPlaces, pendingWork } from "./Pending.ts"
import { hasSigned } from "./PrepareOnce.ts"
import { checkedSessionAt, sayPolicy } from "./Sessions.ts"
import { pendingOperation } from "./SignedNonces.ts"

const inactive = ({ id, state }: PublicSession): CliFailure =>
  usageFailure(`The session ${id} is ${state}.`, `"service session show ${id}" says what brings it on.`)

/** Whether its step left, or was signed for and may have left. */
export const hasLeft = async (
  connection: Connection,
  terminal: CommandTerminal,
  { id, steps }: Plan
): Promise<boolean> => {
  if (steps.some(({ execution }) => execution !== undefined)) return true
  const kept = await pendingOperation(connection, terminal, id).recall()
  return kept?.signature !== undefined
}

const planKnown = async ({ client }: Connection, id: string): Promise<Plan | undefined> =>
  client.plans.show(id).catch((failure: unknown) => {
    if (failure instanceof ServiceProblem && failure.code === "PLAN_NOT_FOUND") return undefined
    throw failure
  })

/** Under which an earlier run of the command prepared a plan of which something left; of one that the service has no more that is not known. */
const keyOfLeft = async (
  connection: Connection,
  terminal: CommandTerminal,
  meaning: ReadonlyArray<string>
): Promise<string | undefined> => {
  const { client } = connection
  const places = keptPlaces(connection, client.account, client.principalId, ...meaning)
  const kept = await pendingWork(terminal, places).recall()
  if (!hasSigned(kept) || kept?.planId === undefined) return undefined
  const plan = await planKnown(connection, kept.planId)
  return plan === undefined || (await hasLeft(connection, terminal, plan)) ? kept.idempotencyKey : undefined
}

/** For its own key. */
export const sessionOfKey = async (connection: Connection, id: string): Promise<PublicSession> => {
  const session = await checkedSessionAt(connection, id)
  const { sessionKey } = session
  if (connection.identity.wallet.address.toLowerCase() === sessionKey.toLowerCase()) return session
  throw usageFailure(
    `The session ${id} is used by its key ${sessionKey} alone.`,
    "Give that bot's key with --key-file."
  )
}

/** One that is not active goes on with what left, and begins nothing. */
export const requireUsable = async (
  connection: Connection,
  terminal: CommandTerminal,
  session: PublicSession,
  isBegun: () => Promise<boolean>
): Promise<void> => {
  if (session.state === "active") return sayPolicy(connection, terminal, session)
  if (!(await isBegun())) throw inactive(session)
}

export interface SessionWork {
  readonly session: PublicSession
  readonly meaning: ReadonlyArray<string>
  readonly isAnew: boolean
}

/** Prepares a plan, of a session that is not active none but that which an earlier run began. */
export const underSession = async <Prepared>(
  connection: Connection,
  terminal: CommandTerminal,
  { session, meaning, isAnew }: SessionWork,
  create: (idempotencyKey: string) => Promise<Prepared>
): Promise<(idempotencyKey: string) => Promise<Prepared>> => {
  const isActive = session.state === "active"
  const left = isActive || isAnew ? undefined : await keyOfLeft(connection, terminal, meaning)
  await requireUsable(connection, terminal, session, async () => left !== undefined)
  return async idempotencyKey => {
    if (isActive || idempotencyKey === left) return create(idempotencyKey)
    throw inactive(session)
  }
}
