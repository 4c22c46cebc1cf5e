/** The queries and records of resolving and reading contracts. */
import { Schema } from "effect"
import { Generation } from "../catalog/Inventory.ts"
import { ChainIdParameter } from "../catalog/QueryParameters.ts"
import { Evidence } from "../values/Evidence.ts"
import { Address, Bytes32, ChainId, PositiveUint256, Sha256, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

const checksummed = Schema.typeSchema(Address)

export const ResolveQuery = strict({
  chainId: ChainIdParameter,
  contractId: Schema.NonEmptyString,
  address: Schema.optional(Address),
  /** Judged by the use case, which refuses it with a code of its own. */
  projectId: Schema.optional(
    Schema.String.annotations({
      jsonSchema: {
        type: "string",
        pattern: "^[1-9][0-9]{0,77}$",
        description: "a decimal project id above zero of at most 256 bits"
      }
    })
  ),
  blockNumber: Schema.optional(Uint256)
})
export type ResolveQuery = typeof ResolveQuery.Type

export const ReadQuery = strict({
  ...ResolveQuery.fields,
  function: Schema.NonEmptyString,
  args: Schema.String.annotations({ description: "a JSON array of the positional arguments" })
})
export type ReadQuery = typeof ReadQuery.Type

export const ProjectContext = strict({
  projectId: PositiveUint256,
  association: Schema.String,
  anchor: checksummed
}).annotations({
  identifier: "ProjectContext",
  description: "Which onchain association ties the address to the project, at the same block."
})
export type ProjectContext = typeof ProjectContext.Type

const VerificationGap = Schema.Literal(
  "runtime-hash-unknown",
  "runtime-hash-unconfirmed",
  "runtime-hash-unconfirmed-and-different",
  "implementation-unpublished"
)

const runtime = {
  runtimeCodeHash: Bytes32,
  runtimeVerified: Schema.Boolean,
  verificationGap: Schema.optionalWith(VerificationGap, { exact: true }),
  projectContext: Schema.optionalWith(ProjectContext, { exact: true })
}

export const PublishedProvenance = strict({
  kind: Schema.Literal("published-deployment"),
  source: Schema.Literal("pinned", "sandbox"),
  alias: Schema.String,
  packageVersion: Schema.NullOr(Schema.String),
  generation: Generation,
  retired: Schema.Boolean,
  receipt: Schema.NullOr(strict({ transactionHash: Bytes32, blockNumber: Schema.NonNegativeInt })),
  ...runtime
}).annotations({
  identifier: "PublishedProvenance",
  description:
    "Why the address may be trusted. runtimeCodeHash is of the code at the block; runtimeVerified is true only where it equals a confirmed hash."
})
export type PublishedProvenance = typeof PublishedProvenance.Type

export const CloneProvenance = strict({
  kind: Schema.Literal("verified-factory-clone"),
  standard: Schema.Literal("erc1167", "solady"),
  implementation: checksummed,
  factory: checksummed,
  association: Schema.String,
  proofs: Schema.Array(Schema.String),
  generation: Generation,
  retired: Schema.Boolean,
  ...runtime
}).annotations({
  identifier: "CloneProvenance",
  description:
    "Which factory made the minimal proxy and what was proved of both at the block. generation is the factory's; retired says that the factory or the published proxy is; runtimeVerified is true only where the code of the implementation equals a confirmed hash."
})
export type CloneProvenance = typeof CloneProvenance.Type

const Provenance = Schema.Union(PublishedProvenance, CloneProvenance).annotations({
  identifier: "ResolutionProvenance"
})

export const Resolution = strict({
  chainId: ChainId,
  contractId: Schema.String,
  address: checksummed,
  abiHash: Sha256,
  provenance: Provenance,
  evidence: Schema.Tuple(Evidence)
}).annotations({ identifier: "ProtocolResolution" })
export type Resolution = typeof Resolution.Type

export const ReadResult = strict({
  ...Resolution.fields,
  function: Schema.String,
  args: Schema.Array(Schema.Unknown),
  outputs: Schema.Array(
    strict({ name: Schema.NullOr(Schema.String), type: Schema.String, value: Schema.Unknown })
  )
}).annotations({ identifier: "ProtocolRead" })
export type ReadResult = typeof ReadResult.Type
