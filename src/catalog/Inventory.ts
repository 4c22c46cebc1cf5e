/** The form of the pinned inventory on disk; `npm run inventory` writes it and the catalog loads it. */
import { Schema } from "effect"
import { Address, Bytes32, ChainId, Sha256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

export const ContractCategory = Schema.Literal("contract", "abstract", "interface", "library", "script")

export const Generation = Schema.Literal("current", "previous", "v1")

export const AbiOrigin = Schema.Literal(
  "published",
  "source",
  "source-reconciled",
  "source-older",
  "source-declarations",
  "none"
)

export const PackageRow = strict({
  id: Schema.NonEmptyString,
  version: Schema.NullOr(Schema.String),
  repository: Schema.NullOr(Schema.String),
  commit: Schema.NullOr(Schema.String),
  category: Schema.Literal("protocol", "deployment", "dependency")
}).annotations({
  identifier: "CatalogPackage",
  description: "A pinned package; repository and commit are null where the pinned facts do not name them."
})

export const ContractRow = strict({
  id: Schema.NonEmptyString,
  packageId: Schema.NonEmptyString,
  version: Schema.NullOr(Schema.String),
  sourcePath: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  category: ContractCategory,
  abiHash: Schema.NullOr(Sha256),
  abiOrigin: AbiOrigin
})
export type ContractRow = typeof ContractRow.Type

export const ConstructorArguments = Schema.NullOr(Schema.Array(Schema.Unknown)).annotations({
  description: "The published constructor arguments by name and type; null where none were published."
})

export const DeploymentRow = strict({
  chainId: ChainId,
  alias: Schema.NonEmptyString,
  contractId: Schema.NonEmptyString,
  packageVersion: Schema.NullOr(Schema.String),
  address: Address,
  abiHash: Sha256,
  retired: Schema.Boolean,
  generation: Generation,
  clone: Schema.Boolean,
  label: Schema.NullOr(Schema.String),
  compiler: Schema.NullOr(Schema.String),
  receipt: Schema.NullOr(
    strict({
      transactionHash: Bytes32,
      blockNumber: Schema.NonNegativeInt,
      timestamp: Schema.NullOr(Schema.NonNegativeInt)
    })
  ),
  constructorArguments: ConstructorArguments,
  runtimeCodeHash: Schema.NullOr(Bytes32)
})
export type DeploymentRow = typeof DeploymentRow.Type

export const Exclusion = strict({ path: Schema.NonEmptyString, reason: Schema.NonEmptyString }).annotations({
  identifier: "CatalogExclusion",
  description: "A source or artifact that the inventory leaves out, and why."
})

export const PackageRows = Schema.Array(PackageRow)
export const ContractRows = Schema.Array(ContractRow)
export const DeploymentRows = Schema.Array(DeploymentRow)
export const Exclusions = Schema.Array(Exclusion)

export const DATA_FILES = [
  "packages.json",
  "contracts.json",
  "deployments.json",
  "exclusions.json",
  "abis.ndjson"
] as const

/** `inventoryHash` is the SHA-256 of the canonical JSON of every other member. */
export const Manifest = strict({
  protocolVersion: Schema.Literal(6),
  repository: Schema.NullOr(Schema.String),
  commit: Schema.NullOr(Schema.String),
  chains: Schema.Array(ChainId),
  files: Schema.Record({ key: Schema.Literal(...DATA_FILES), value: Sha256 }),
  inventoryHash: Sha256
})
export type Manifest = typeof Manifest.Type

/** A deployment of catalogued contracts outside the inventory, such as a sandbox chain's. */
export const OverlayManifest = Schema.Struct({
  chainId: ChainId,
  deployments: Schema.Array(
    Schema.Struct({
      contractId: Schema.NonEmptyString,
      alias: Schema.NonEmptyString,
      address: Address,
      abiHash: Schema.optional(Schema.NullOr(Sha256)),
      receipt: Schema.Struct({
        transactionHash: Bytes32,
        blockNumber: Schema.Union(Schema.NonNegativeInt, Schema.NumberFromString)
      }),
      constructorArguments: Schema.optionalWith(ConstructorArguments, { default: () => null }),
      runtimeCodeHash: Schema.NullOr(Bytes32)
    })
  )
})
export type OverlayManifest = typeof OverlayManifest.Type
