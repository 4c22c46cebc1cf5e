/** What the effects of calls are judged by: those that operations or teams plan, and those by which wallets are administered. */
import type { AnyOperation } from "../operations/framework/Installed.ts"
import { installedPredicates } from "../operations/plans/InstalledPredicates.ts"
import { sessionEffects } from "../sessions/SessionEffects.ts"

export const allPredicates = (operations: ReadonlyArray<AnyOperation<unknown>>) => [
  ...installedPredicates(operations),
  ...sessionEffects
]
