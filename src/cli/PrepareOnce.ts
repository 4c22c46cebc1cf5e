/** A plan prepared under a key that is on disk before the request leaves, so that the same command after a crash finds the same plan. */
import { ServiceProblem } from "../client/Errors.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Pending } from "./Pending.ts"

const settles = (failure: unknown): boolean =>
  failure instanceof ServiceProblem &&
  failure.problem.status < 500 &&
  !failure.problem.retryable &&
  failure.cause === undefined

export const preparedOnce = async <Created>(
  pending: Pending,
  terminal: CommandTerminal,
  create: (idempotencyKey: string) => Promise<Created>
): Promise<Created> => {
  const begun = await pending.recall()
  const idempotencyKey = begun?.idempotencyKey ?? crypto.randomUUID()
  if (begun !== undefined) terminal.note("An earlier run of this command did not finish; continuing it.")
  await pending.keep({ idempotencyKey })
  try {
    return await create(idempotencyKey)
  } catch (failure) {
    if (settles(failure)) await pending.forget()
    throw failure
  }
}
