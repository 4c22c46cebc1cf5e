/** At which of a wallet's nonces a plan's steps were signed for: what is signed at the same one is executed in its place, at another one beside it. */
import { isDone } from "../client/StepStanding.ts"
import type { Plan } from "../plans/Plan.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { keptPlaces, type Pending, type PendingRecord, pendingWork } from "./Pending.ts"

/** What is kept of a plan's operation under way, and of those that were signed before it. */
export const pendingOperation = (
  connection: Connection,
  terminal: CommandTerminal,
  planId: string
): Pending =>
  pendingWork(terminal, keptPlaces(connection, connection.client.principalId, planId, "operation"))

const PREFIX = "nonce "

const nameOf = (step: number): string => `${PREFIX}${step}`

/** What outlives the operation that the record is of. */
export const signedNonces = (record: PendingRecord | undefined): PendingRecord =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => name.startsWith(PREFIX)))

const hasNonces = (record: PendingRecord): boolean => Object.keys(signedNonces(record)).length > 0

/** By the calls that it makes, whichever step it was prepared for. */
export const noncesWith = (
  record: PendingRecord,
  { stepIndexes, operation }: PublicUserOperation
): PendingRecord => ({
  ...record,
  ...Object.fromEntries(stepIndexes.map(index => [nameOf(index), operation.nonce]))
})

export const forgetOperation = async (pending: Pending): Promise<void> => {
  const nonces = signedNonces(await pending.recall())
  await (hasNonces(nonces) ? pending.keep(nonces) : pending.forget())
}

/** `before` is the nonce that the plan in whose place this one is left. */
export const requireSameNonce = (
  record: PendingRecord,
  { stepIndexes, operation: { nonce } }: PublicUserOperation,
  before: string | undefined
): void => {
  const left = hasNonces(record) ? undefined : before
  const signed = stepIndexes.map(index => record[nameOf(index)] ?? left)
  const other = signed.find(each => each !== undefined && each !== nonce)
  if (other === undefined) return
  throw new CliFailure(
    ExitCode.unknown,
    `An operation that does this was signed at the wallet's nonce ${other}, and may be executed. Another one at the nonce ${nonce} would do it a second time, so it was not signed.`,
    "Look at what the wallet sent since. If it did not do this, another plan does it: the same verb with --anew prepares one."
  )
}

const signedFor = (
  plan: Plan,
  record: PendingRecord | undefined,
  before: string | undefined
): ReadonlyArray<string> => {
  const nonces = signedNonces(record)
  if (!hasNonces(nonces)) return before === undefined ? [] : [before]
  const undone = plan.steps.filter(({ index }) => !isDone(plan, index))
  const left = undone.length === 0 ? plan.steps : undone
  return left.flatMap(({ index }) => nonces[nameOf(index)] ?? [])
}

export interface NoncesTaken {
  /** The nonce that the ended plan was itself to begin at. */
  readonly before: string | undefined
  /** Of operations that this program need not have signed, and that may still be executed. */
  readonly open: ReadonlyArray<string>
}

/** At which nonce the plan in the place of one that ended is to begin; several where none is right. */
export const nonceLeft = (
  plan: Plan,
  record: PendingRecord | undefined,
  { before, open }: NoncesTaken
): string | undefined => {
  const taken = new Set([...signedFor(plan, record, before), ...open])
  return taken.size === 0 ? undefined : [...taken].join(" and ")
}
