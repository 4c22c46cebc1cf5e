/** The records and queries of the contract catalog's routes. */
import { Schema } from "effect"
import { Address, Bytes32, ChainId, Hex, Sha256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { Abi, AbiParameter, StateMutability } from "./Abi.ts"
import {
  AbiOrigin,
  ConstructorArguments,
  ContractCategory,
  Exclusion,
  Generation,
  PackageRow
} from "./Inventory.ts"
import { ChainIdParameter, FlagParameter, IntegerParameterOr } from "./QueryParameters.ts"

export const CATALOG_PAGES = { maximumOffset: 100_000, maximumSize: 100 } as const

export const ContractsQuery = strict({
  packageId: Schema.optional(Schema.NonEmptyString),
  category: Schema.optional(ContractCategory),
  chainId: Schema.optional(ChainIdParameter),
  deployedOnly: FlagParameter,
  executableOnly: FlagParameter,
  offset: IntegerParameterOr(0, CATALOG_PAGES.maximumOffset, 0),
  limit: IntegerParameterOr(1, CATALOG_PAGES.maximumSize, 25)
})
export type ContractsQuery = typeof ContractsQuery.Type

export const ContractQuery = strict({ id: Schema.NonEmptyString })

export const MethodQuery = strict({
  contractId: Schema.NonEmptyString,
  signature: Schema.NonEmptyString,
  abiHash: Schema.optional(Sha256)
})
export type MethodQuery = typeof MethodQuery.Type

const checksummed = Schema.typeSchema(Address)

const DeploymentStatus = Schema.Literal("published", "missing")

const Count = Schema.NonNegativeInt

export const ContractItem = strict({
  id: Schema.String,
  name: Schema.String,
  packageId: Schema.String,
  category: ContractCategory,
  executable: Schema.Boolean,
  methodCounts: strict({ read: Count, write: Count }),
  chains: Schema.Array(
    strict({
      chainId: ChainId,
      status: DeploymentStatus,
      addresses: Schema.Array(checksummed),
      instances: Schema.Array(
        strict({
          address: checksummed,
          retired: Schema.Boolean,
          generation: Schema.optionalWith(Generation, { exact: true })
        })
      )
    })
  )
}).annotations({ identifier: "ContractCatalogItem", description: "One catalogued contract declaration." })
export type ContractItem = typeof ContractItem.Type

export const CatalogProvenance = strict({
  repository: Schema.NullOr(Schema.String),
  commit: Schema.NullOr(Schema.String),
  inventoryHash: Sha256,
  overlays: Schema.Array(strict({ chainId: ChainId, kind: Schema.Literal("sandbox") }))
}).annotations({
  identifier: "CatalogProvenance",
  description:
    "Which pinned inventory the catalog is; overlays name chains whose deployments were added locally."
})
export type CatalogProvenance = typeof CatalogProvenance.Type

export const ContractsPage = strict({
  protocolVersion: Schema.Literal(6),
  provenance: CatalogProvenance,
  packages: Schema.Array(PackageRow),
  exclusions: Schema.Array(Exclusion),
  items: Schema.Array(ContractItem),
  total: Count,
  nextOffset: Schema.NullOr(Count)
}).annotations({ identifier: "ContractCatalogPage" })
export type ContractsPage = typeof ContractsPage.Type

const JsonSchemaDocument = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  description: "JSON Schema 2020-12 of a positional array."
})

export const MethodRecord = strict({
  signature: Schema.String,
  selector: Schema.NullOr(Hex),
  name: Schema.String,
  stateMutability: StateMutability,
  kind: Schema.Literal("read", "write"),
  inputs: Schema.Array(AbiParameter),
  outputs: Schema.Array(AbiParameter),
  inputJsonSchema: JsonSchemaDocument,
  outputJsonSchema: JsonSchemaDocument
}).annotations({
  identifier: "ContractMethod",
  description: "A method by its full canonical signature; selector is null where the ABI gives it none."
})
export type MethodRecord = typeof MethodRecord.Type

export const ContractVariant = strict({
  abiHash: Sha256,
  usage: Schema.Literal("published", "source-only"),
  abi: Abi,
  methods: Schema.Array(MethodRecord),
  provenance: strict({
    origin: AbiOrigin,
    packageVersions: Schema.Array(Schema.String)
  })
})
export type ContractVariant = typeof ContractVariant.Type

export const ContractDeployments = strict({
  chainId: ChainId,
  status: DeploymentStatus,
  instances: Schema.Array(
    strict({
      address: checksummed,
      alias: Schema.String,
      abiHash: Sha256,
      retired: Schema.Boolean,
      generation: Generation,
      clone: Schema.Boolean,
      source: Schema.Literal("pinned", "sandbox"),
      receipt: Schema.NullOr(strict({ transactionHash: Bytes32, blockNumber: Count })),
      constructorArguments: ConstructorArguments,
      runtimeCodeHash: Schema.NullOr(Bytes32)
    })
  )
})
export type ContractDeployments = typeof ContractDeployments.Type

const CloneFamilyRecord = strict({
  implementation: Schema.String,
  factory: Schema.String,
  getter: Schema.String,
  standard: Schema.Literal("erc1167", "solady"),
  association: Schema.String,
  proofs: Schema.Array(Schema.String)
})

export const ContractDetail = strict({
  protocolVersion: Schema.Literal(6),
  provenance: CatalogProvenance,
  id: Schema.String,
  packageId: Schema.String,
  packageVersion: Schema.NullOr(Schema.String),
  sourcePath: Schema.String,
  name: Schema.String,
  category: ContractCategory,
  executable: Schema.Boolean,
  abi: Schema.NullOr(Abi),
  abiHash: Schema.NullOr(Sha256),
  methods: Schema.Array(MethodRecord),
  variants: Schema.Array(ContractVariant),
  deployments: Schema.Array(ContractDeployments),
  cloneFamilies: Schema.Array(CloneFamilyRecord)
}).annotations({
  identifier: "ContractDetail",
  description: "One contract with its default ABI variant first; abi is null where no ABI could be had."
})
export type ContractDetail = typeof ContractDetail.Type
