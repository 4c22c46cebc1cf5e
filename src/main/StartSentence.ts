/** What is said of a start that failed for a reason that an operator can act on. */
import { OverlayUnusable } from "../catalog/refusals.ts"
import { RuntimePinsDamaged } from "../protocol/refusals.ts"
import { InvalidSettings } from "../settings/Settings.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { type AnyRefusal, isRefusal } from "../values/Refusal.ts"

/** What is not the package's own says itself what is wrong with it. */
const isOperators = (failure: AnyRefusal): boolean =>
  failure instanceof OverlayUnusable ||
  failure instanceof RuntimePinsDamaged ||
  (failure.context !== undefined && "contract" in failure.context)

export const startSentence = (failure: unknown): string | undefined => {
  if (failure instanceof StartFailure || failure instanceof InvalidSettings) return failure.message
  if (!isRefusal(failure)) return undefined
  if (failure._tag === "DATABASE_UNAVAILABLE")
    return "The database went away during the start; start again once it is back."
  if (failure._tag !== "CATALOG_INTEGRITY") return undefined
  return isOperators(failure)
    ? failure.detail
    : `The pinned catalog does not match its hashes (${JSON.stringify(failure.context ?? {})}); reinstall the package.`
}
