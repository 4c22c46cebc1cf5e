/** What a project has in the jar, beside whose it is and how many tokens it has: three contracts at one block. */
import { Effect } from "effect"
import {
  Address,
  defineReadOperation,
  Evidence,
  PinnedContracts,
  Project,
  strict,
  Uint256
} from "signed-request-service/service"

const Tips = strict({ project: Project, owner: Address, supply: Uint256, tips: Uint256, evidence: Evidence })

interface Wanted {
  readonly project: typeof Project.Type
}

export const readTips = Effect.fn("Tips.read")(function* ({ project }: Wanted) {
  const contracts = yield* PinnedContracts
  const { read, readAdded, evidence } = yield* contracts.snapshotOf(project.chainId)
  const { owner, supply, tips } = yield* Effect.all(
    {
      owner: read("JBProjects", "ownerOf", [project.projectId], Address),
      supply: read("JBTokens", "totalSupplyOf", [project.projectId], Uint256),
      tips: readAdded("TipJar", "tipsOf", [project.projectId], Uint256)
    },
    { concurrency: "unbounded" }
  )
  return { project, owner, supply, tips, evidence }
})

export const getTips = defineReadOperation({
  id: "get_tips",
  kind: "read",
  sources: ["onchain"],
  title: "Show a project's tips",
  description:
    "What a project has in the tip jar, its owner and its supply of tokens, at one canonical block.",
  input: strict({ project: Project }),
  output: Tips,
  problems: [],
  run: readTips
})
