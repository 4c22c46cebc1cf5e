import { loans } from "./Loans.ts"
import { omnichainVerbs } from "./Omnichain.ts"
import { payments } from "./Payments.ts"
import { projectVerbs } from "./Projects.ts"
import { routing } from "./Routing.ts"
import { shops } from "./Shops.ts"
import type { Verb } from "./Verb.ts"

/** One for each operation that prepares a plan. */
export const verbs: ReadonlyArray<Verb> = [
  ...payments,
  ...projectVerbs,
  ...shops,
  ...loans,
  ...omnichainVerbs,
  ...routing
]
