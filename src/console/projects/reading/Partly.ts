/** A part of a page that may be refused by itself, and leaves the rest as it is. */
import { ServiceProblem } from "../../../client/Errors.ts"
import type { Observed } from "../../../values/Observed.ts"

/** What is no refusal of the service, such as a person's, ends the whole reading. */
export const partly = async <A>(work: Promise<A>): Promise<Observed<A>> => {
  try {
    return { status: "known", value: await work }
  } catch (failure) {
    if (!(failure instanceof ServiceProblem)) throw failure
    const { code, detail, retryable } = failure.problem
    return { status: "unknown", error: { code, message: detail, retryable } }
  }
}
