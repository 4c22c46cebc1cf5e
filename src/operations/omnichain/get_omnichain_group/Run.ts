import { Effect } from "effect"
import { telling } from "../../../indexer/Degrading.ts"
import { findGroup, membersOf } from "../../../projects/IndexedProjects.ts"
import { PROJECT_SEMANTICS } from "../../../projects/IndexedSchemas.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { namedNetwork } from "../../projects/Network.ts"
import { getOmnichainGroup } from "./Declaration.ts"

const SEMANTICS = {
  ...PROJECT_SEMANTICS,
  totals: "Totals of the group are sums of the index; no chain was asked about them.",
  membership: "The index says who belongs to the group, and may lag; no bridge was proved."
}

export const runGetOmnichainGroup = defineOperation(
  getOmnichainGroup,
  Effect.fn("GetOmnichainGroup")(function* ({ id, network: named }) {
    const network = yield* namedNetwork(named)
    const { group, projects } = yield* Effect.all(
      { group: findGroup(network, id), projects: membersOf(network, id) },
      { concurrency: 2 }
    ).pipe(Effect.catchTag("INDEXER_INVALID_CURSOR", Effect.die))
    return { group: group.row, ...telling(group.degraded), projects, semantics: SEMANTICS }
  })
)
