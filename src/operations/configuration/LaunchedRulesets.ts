/** What a launch's rulesets do to one another, and to the projects that their splits name. */
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { known, type Observed } from "../../values/Observed.ts"
import { delaysOn } from "./Deadlines.ts"
import { rulesetSplitWarnings, type Splitting } from "./SplitWarnings.ts"
import type { Configuration } from "./Succession.ts"
import { successionWarnings } from "./SuccessionWarnings.ts"

/** A project that is new has nothing that its rulesets could follow. */
export const launchedRulesetWarnings = (
  configurations: ReadonlyArray<Configuration & Splitting>,
  snapshot: PinnedSnapshot,
  count: Observed<string>
): ReadonlyArray<string> => [
  ...successionWarnings({
    latest: known(undefined),
    configurations,
    now: snapshot.block.timestamp,
    delayOf: delaysOn(snapshot)
  }),
  ...rulesetSplitWarnings(configurations, { count, own: "next" })
]
