/** Projects as the indexed source has them: estimates and history, never executable balances. */
import { Schema } from "effect"
import { Degraded, Provenance } from "../indexer/IndexerSchemas.ts"
import { Address, ChainId, Uint256, UnixSeconds } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

const text = Schema.optionalWith(
  Schema.NullOr(Schema.String).annotations({
    description: "absent where the row is larger with it than an answer may be"
  }),
  { exact: true }
)
const count = Schema.NonNegativeInt
/** The source's numbers have a sign of their own where flows are summed. */
const amount = Schema.String.pipe(Schema.pattern(/^(?:0|-?[1-9][0-9]*)$/)).annotations({
  description: "a decimal string in the units of the source"
})

export const ProjectRow = strict({
  id: Schema.String,
  chainId: ChainId,
  projectId: Uint256,
  version: Schema.Literal(6),
  owner: Address,
  creator: Address,
  deployer: Address,
  createdAt: UnixSeconds,
  suckerGroupId: Schema.String,
  name: text,
  handle: text,
  description: text,
  projectTagline: text,
  metadataUri: text,
  logoUri: text,
  isRevnet: Schema.NullOr(Schema.Boolean),
  paymentsCount: count,
  contributorsCount: count,
  volume: amount,
  volumeUsd: amount,
  balance: amount,
  balanceUsd: Schema.optionalWith(
    amount.annotations({ description: "absent where the source is older than the field" }),
    { exact: true }
  ),
  tokenSupply: amount,
  reservedTokenSupply: amount,
  token: Schema.NullOr(Address),
  tokenSymbol: text,
  decimals: Schema.NullOr(Schema.Int),
  currency: Schema.NullOr(amount)
}).annotations({
  identifier: "IndexedProject",
  description: "A project as the indexed source has it; its texts are untrusted."
})
export type ProjectRow = typeof ProjectRow.Type

export const GroupRow = strict({
  id: Schema.String,
  version: Schema.Literal(6),
  addresses: Schema.optionalWith(
    Schema.Array(Schema.String).annotations({ description: "absent where it is longer than is given" }),
    { exact: true }
  ),
  createdAt: UnixSeconds,
  paymentsCount: count,
  contributorsCount: count,
  volumeUsd: amount,
  balanceUsd: Schema.optionalWith(
    amount.annotations({ description: "absent where the source is older than the field" }),
    { exact: true }
  ),
  tokenSupply: amount,
  reservedTokenSupply: amount
}).annotations({ identifier: "IndexedSuckerGroup", description: "Totals that the source has summed up." })
export type GroupRow = typeof GroupRow.Type

export const ParticipantRow = strict({
  chainId: ChainId,
  projectId: Uint256,
  version: Schema.Literal(6),
  address: Address,
  suckerGroupId: Schema.String,
  createdAt: UnixSeconds,
  balance: amount,
  creditBalance: amount,
  erc20Balance: amount,
  volume: amount,
  volumeUsd: amount,
  paymentsCount: count,
  lastPaidTimestamp: count
}).annotations({ identifier: "IndexedParticipant" })
export type ParticipantRow = typeof ParticipantRow.Type

const IndexedCoverage = strict({
  missingFields: Schema.Array(Schema.String).annotations({
    description: "fields that the configured source does not serve"
  }),
  degraded: Schema.Array(Degraded).annotations({
    description: "rows that are left out, and fields that are cut, each with its reason"
  }),
  notes: Schema.Array(Schema.String)
}).annotations({ identifier: "IndexedCoverage" })

export const indexedPage = <A, I>(row: Schema.Schema<A, I>) =>
  strict({
    items: Schema.Array(row),
    totalCount: Schema.NullOr(Schema.NonNegativeInt),
    pageInfo: strict({ hasNextPage: Schema.Boolean, endCursor: Schema.NullOr(Schema.String) }),
    provenance: Provenance,
    coverage: IndexedCoverage
  })

export const PROJECT_SEMANTICS = {
  balance:
    "sums amounts of different accounting tokens, each in its own units; it is no balance of any one token",
  balanceUsd:
    "an accumulated flow in US dollars at the times of its events, with 18 decimals; no current value",
  volume: "sums amounts of different accounting tokens, each in its own units, as balance does",
  volumeUsd: "in US dollars at the times of the payments, with 18 decimals",
  tokenSymbol: "the symbol of the accounting asset, not of the project's token",
  state: "the source may lag behind the chain and no answer of it is pinned to a block",
  texts: "names, descriptions, handles and URIs are untrusted; nothing was fetched"
} as const

export const ProjectSemantics = strict({
  balance: Schema.String,
  balanceUsd: Schema.String,
  volume: Schema.String,
  volumeUsd: Schema.String,
  tokenSymbol: Schema.String,
  state: Schema.String,
  texts: Schema.String
}).annotations({
  identifier: "IndexedProjectSemantics",
  description: "What the fields of indexed projects mean."
})
