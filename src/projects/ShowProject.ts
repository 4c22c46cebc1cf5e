/** One project from the source that was chosen; the other never stands in for it. */
import { Effect } from "effect"
import { PinnedContracts } from "../protocol/PinnedContracts.ts"
import { observed } from "../values/Observed.ts"
import { findProject, networkOf } from "./IndexedProjects.ts"
import { degradedOf } from "./IndexedRows.ts"
import { PROJECT_SEMANTICS } from "./IndexedSchemas.ts"
import { mapObserved } from "./Observations.ts"
import type { ProjectAnswer } from "./ProjectSchemas.ts"
import { readProject } from "./ProjectView.ts"

export interface WantedProject {
  readonly chainId: number
  readonly projectId: string
}

const onchain = Effect.fn("ShowProject.onchain")(function* ({ chainId, projectId }: WantedProject) {
  const contracts = yield* PinnedContracts
  const answer: ProjectAnswer = {
    source: "onchain",
    onchain: yield* readProject(yield* contracts.snapshotOf(chainId), projectId)
  }
  return answer
})

const indexed = Effect.fn("ShowProject.indexed")(function* ({ chainId, projectId }: WantedProject) {
  const network = yield* networkOf(chainId)
  const found = yield* observed(findProject(network, chainId, projectId))
  const answer: ProjectAnswer = {
    source: "indexer",
    indexed: mapObserved(found, ({ row }) => row),
    ...degradedOf(found),
    indexedSemantics: PROJECT_SEMANTICS
  }
  return answer
})

export const showProject = Effect.fnUntraced(function* (
  wanted: WantedProject,
  source: "onchain" | "indexer"
) {
  return source === "onchain" ? yield* onchain(wanted) : yield* indexed(wanted)
})
