/** A plan prepared under a key that is on disk before the request leaves, so that the same command after a crash finds the same plan. */
import { isLastingRefusal } from "../client/Retry.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Pending, PendingRecord } from "./Pending.ts"

/** Since when something was signed for what it led to. */
export const hasSigned = (record: PendingRecord | undefined): boolean => record?.signing !== undefined

/** `fresh` are the parts of the request that are chosen at the first run, and the same in each after it. */
export const preparedOnce = async <Created>(
  pending: Pending,
  terminal: CommandTerminal,
  create: (idempotencyKey: string, chosen: PendingRecord) => Promise<Created>,
  fresh: () => Promise<PendingRecord> = async () => ({})
): Promise<Created> => {
  const begun = await pending.recall()
  const idempotencyKey = begun?.idempotencyKey ?? crypto.randomUUID()
  if (begun?.idempotencyKey !== undefined)
    terminal.note("An earlier run of this command did not finish; continuing it.")
  const chosen = { ...(begun ?? (await fresh())), idempotencyKey }
  await pending.keep(chosen)
  try {
    return await create(idempotencyKey, chosen)
  } catch (failure) {
    if (isLastingRefusal(failure) && !hasSigned(begun)) await pending.forget()
    throw failure
  }
}
