/** The terminals of a project whose accounts the service reads: what any other one says of a token is its own claim. */
import type { ProjectView, Terminal } from "../projects/ProjectSchemas.ts"

export const ownTerminals = ({ terminals }: Pick<ProjectView, "terminals">): ReadonlyArray<Terminal> =>
  (terminals.status === "known" ? terminals.value : []).filter(
    ({ accountingStore }) => accountingStore.status === "known"
  )
