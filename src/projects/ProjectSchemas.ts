/** What a view of a project says; each value that is read by itself may be unknown by itself. */
import { Schema } from "effect"
import { degradedMember } from "../indexer/IndexerSchemas.ts"
import { RulesetWithMetadata, Split } from "../protocol/ProjectRecords.ts"
import { Evidence } from "../values/Evidence.ts"
import { ObservedOf } from "../values/Observed.ts"
import { Address, ChainId, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { ProjectRow, ProjectSemantics } from "./IndexedSchemas.ts"

export const ProjectKey = strict({
  chainId: ChainId,
  projectId: Uint256,
  version: Schema.Literal(6)
}).annotations({ identifier: "ProjectKey", description: "A project of version 6 on one chain." })
export type ProjectKey = typeof ProjectKey.Type

export const Coverage = strict({
  complete: Schema.Boolean.annotations({ description: "whether every value of the answer is known" }),
  unknown: Schema.Array(Schema.String).annotations({
    description: "where the answer holds values that are unknown, as JSON pointers"
  }),
  notes: Schema.Array(Schema.String)
}).annotations({ identifier: "ProjectCoverage" })

const RulesetOrNone = Schema.NullOr(RulesetWithMetadata).annotations({
  description: "null where there is none"
})

const ApprovalStatus = strict({
  code: Schema.Int,
  name: Schema.Literal("Empty", "Upcoming", "Active", "ApprovalExpected", "Approved", "Failed")
})
export type ApprovalStatus = typeof ApprovalStatus.Type

const QueuedRuleset = Schema.NullOr(
  strict({ ...RulesetWithMetadata.fields, approvalStatus: ApprovalStatus })
).annotations({ description: "null where there is none" })

const Token = strict({
  address: Address,
  deployed: Schema.Boolean.annotations({ description: "without a token contract, tokens are credits" }),
  name: ObservedOf(Schema.NullOr(Schema.String)),
  symbol: ObservedOf(Schema.NullOr(Schema.String)),
  decimals: ObservedOf(Uint256)
}).annotations({ identifier: "ProjectToken" })
export type Token = typeof Token.Type

const Limit = strict({
  configured: Uint256,
  currency: Uint256,
  decimals: Uint256,
  used: ObservedOf(Uint256),
  remaining: ObservedOf(Uint256),
  resetScope: Schema.Literal("ruleset-cycle", "ruleset"),
  scopeId: Uint256.annotations({ description: "the cycle number or the ruleset id that it counts within" }),
  meaning: Schema.String
}).annotations({ identifier: "FundAccessLimit" })
export type Limit = typeof Limit.Type

const Limits = ObservedOf(Schema.Array(Limit))
const Splits = ObservedOf(Schema.Array(Split))

const TokenAccount = strict({
  token: Address,
  decimals: Uint256,
  currency: Uint256,
  balance: ObservedOf(Uint256),
  surplus: ObservedOf(Uint256),
  primaryTerminal: ObservedOf(Address),
  payoutLimits: Limits,
  surplusAllowances: Limits,
  payoutSplits: Splits
}).annotations({
  identifier: "TerminalTokenAccount",
  description: "Balance and surplus in units of the token with these decimals."
})
export type TokenAccount = typeof TokenAccount.Type

const Terminal = strict({
  address: Address,
  accountingStore: ObservedOf(Address),
  contexts: ObservedOf(Schema.Array(TokenAccount))
}).annotations({ identifier: "ProjectTerminal" })
export type Terminal = typeof Terminal.Type

export const ProjectView = strict({
  project: ProjectKey,
  evidence: Schema.Array(Evidence),
  owner: ObservedOf(Address),
  controller: ObservedOf(Address),
  canonicalController: Schema.Boolean,
  metadataUri: ObservedOf(Schema.String).annotations({ description: "untrusted text, never fetched" }),
  rulesets: strict({
    current: ObservedOf(RulesetOrNone),
    upcoming: ObservedOf(RulesetOrNone),
    latestQueued: ObservedOf(QueuedRuleset)
  }),
  token: ObservedOf(Token),
  supply: strict({
    totalIncludingPendingReserved: ObservedOf(Uint256),
    pendingReserved: ObservedOf(Uint256),
    decimals: Schema.Literal(18),
    scope: Schema.Literal("local chain")
  }),
  reservedTokenSplits: Splits,
  splitPercentDenominator: Schema.Literal("1000000000"),
  terminals: ObservedOf(Schema.Array(Terminal)),
  coverage: Coverage
}).annotations({
  identifier: "ProjectView",
  description: "A project on its own chain at one canonical block."
})
export type ProjectView = typeof ProjectView.Type

export const ProjectAnswer = Schema.Union(
  strict({ source: Schema.Literal("onchain"), onchain: ProjectView }),
  strict({
    source: Schema.Literal("indexer"),
    indexed: ObservedOf(Schema.NullOr(ProjectRow)).annotations({
      description: "null where the source has no such project"
    }),
    degraded: degradedMember,
    indexedSemantics: ProjectSemantics
  })
).annotations({ identifier: "ProjectAnswer", description: "A project from the source that was asked for." })
export type ProjectAnswer = typeof ProjectAnswer.Type
