/** What a view of a project's group on several chains says; nothing of it is atomic across chains. */
import { Schema } from "effect"
import { degradedMember } from "../indexer/IndexerSchemas.ts"
import { Evidence } from "../values/Evidence.ts"
import { ObservedOf } from "../values/Observed.ts"
import { Address, Bytes32, ChainId, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { GroupRow, ProjectRow, ProjectSemantics } from "./IndexedSchemas.ts"
import { Coverage, ProjectKey, ProjectView } from "./ProjectSchemas.ts"

export const MOST_MEMBERS = 8

const BridgeEnds = Schema.Array(strict({ sucker: Address, peer: ObservedOf(Bytes32) })).annotations({
  description: "bridges on the origin's chain that lead to this member, with the peers that they name"
})

const Membership = Schema.Union(
  strict({ status: Schema.Literal("origin") }),
  strict({ status: Schema.Literal("proved"), bridges: BridgeEnds }),
  strict({
    status: Schema.Literal("unverified"),
    bridges: BridgeEnds,
    verified: ObservedOf(Schema.Literal(true))
  })
).annotations({
  identifier: "Membership",
  description: "proved where both ends of a bridge name each other and both registries list them"
})
export type Membership = typeof Membership.Type

const Finality = strict({
  status: Schema.Literal("latest", "safe", "finalized").annotations({
    description: "how settled the block of this member's state is"
  }),
  safeBlock: Schema.NullOr(Uint256).annotations({ description: "null where the node does not tell it" }),
  finalizedBlock: Schema.NullOr(Uint256).annotations({ description: "null where the node does not tell it" })
}).annotations({ identifier: "MemberFinality" })
export type BridgeFinality = typeof Finality.Type

const Member = strict({
  chainId: ObservedOf(ChainId),
  projectId: ObservedOf(Uint256),
  membership: Membership,
  state: ObservedOf(ProjectView),
  evidence: Schema.Array(Evidence),
  finality: ObservedOf(Finality)
}).annotations({ identifier: "OmnichainMember" })
export type GroupMember = typeof Member.Type

const IndexedMember = strict({
  chainId: ChainId,
  projectId: Uint256,
  membership: Membership,
  indexed: ProjectRow,
  indexedUpTo: ObservedOf(
    strict({ block: Schema.NullOr(Schema.NonNegativeInt), timestamp: Schema.NullOr(Schema.NonNegativeInt) })
  ).annotations({ description: "how far the source says it has indexed this chain; no finality" })
}).annotations({ identifier: "IndexedOmnichainMember" })
export type IndexedMember = typeof IndexedMember.Type

const Group = strict({
  atomicAcrossChains: Schema.Literal(false),
  membersFound: ObservedOf(Schema.NonNegativeInt).annotations({ description: "the origin included" }),
  truncated: Schema.Boolean,
  maxMembers: Schema.Int
})

export const OmnichainAnswer = Schema.Union(
  strict({
    source: Schema.Literal("onchain"),
    project: ProjectKey,
    group: Group,
    members: Schema.Array(Member),
    coverage: Coverage
  }),
  strict({
    source: Schema.Literal("indexer"),
    project: ProjectKey,
    group: Group,
    indexedGroup: ObservedOf(Schema.NullOr(GroupRow)),
    members: ObservedOf(Schema.Array(IndexedMember)),
    degraded: degradedMember,
    indexedSemantics: ProjectSemantics,
    coverage: Coverage
  })
).annotations({
  identifier: "OmnichainAnswer",
  description: "The projects that bridges join to this one, each with a state of its own."
})
export type OmnichainAnswer = typeof OmnichainAnswer.Type
