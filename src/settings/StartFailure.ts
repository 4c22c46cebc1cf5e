/** Why the service cannot start, in one sentence that the operator can act on. */
import { Data } from "effect"

export class StartFailure extends Data.TaggedError("StartFailure")<{ readonly message: string }> {}

/** The operating system's code for a failed call, such as EACCES. */
export const systemCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
