import { Schema } from "effect"
import { Abi } from "../../catalog/Abi.ts"
import { Generation } from "../../catalog/Inventory.ts"
import { Address, ChainId } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"
import { optional } from "../inputs/Shared.ts"

const checksummed = Schema.typeSchema(Address)
const version = Schema.Literal(6)

export const getContract = declareOperation({
  id: "get_contract",
  input: readInputs.get_contract,
  output: strict({
    version,
    name: Schema.String,
    source: Schema.String.annotations({
      description: "the contract's id in the catalog, or the commit that published it later"
    }),
    chainId: optional(ChainId),
    address: Schema.NullOr(checksummed),
    generations: optional(
      Schema.Array(strict({ address: checksummed, generation: Generation, retired: Schema.Boolean }))
    ),
    deploymentSource: optional(Schema.Literal("pinned", "sandbox")),
    laterRollout: optional(
      strict({
        address: checksummed,
        version: Schema.NullOr(Schema.String),
        commit: Schema.String
      }).annotations({
        description:
          "published after the pinned inventory: trusted where projects use it, without a pinned interface"
      })
    ),
    abi: Abi
  }).annotations({ identifier: "ContractReference" }),
  problems: ["CONTRACT_NOT_FOUND", "FUNCTION_NOT_FOUND", "UNSUPPORTED_CHAIN"]
})

export const decodeCalldata = declareOperation({
  id: "decode_calldata",
  input: readInputs.decode_calldata,
  output: strict({
    contract: Schema.String,
    version,
    functionName: Schema.String,
    signature: Schema.String,
    args: Schema.Array(
      strict({ name: Schema.NullOr(Schema.String), type: Schema.String, value: Schema.Unknown })
    ),
    warning: Schema.String
  }).annotations({ identifier: "DecodedCalldata" }),
  problems: ["CONTRACT_NOT_FOUND", "CALLDATA_INVALID"]
})

const Family = strict({
  id: Schema.String,
  title: Schema.String,
  tools: Schema.Array(strict({ name: Schema.String, description: Schema.String })),
  references: Schema.Array(Schema.String),
  limits: Schema.Array(Schema.String)
}).annotations({ identifier: "OperationFamily" })
export type Family = typeof Family.Type

export const ServiceOperation = strict({
  method: Schema.Literal("GET", "POST"),
  path: Schema.String,
  description: Schema.String
})
export type ServiceOperation = typeof ServiceOperation.Type

export const listCapabilities = declareOperation({
  id: "list_capabilities",
  input: readInputs.list_capabilities,
  output: strict({
    name: Schema.String,
    version: Schema.String,
    protocolVersion: version,
    publicOrigin: Schema.String,
    amountEncoding: Schema.String,
    execution: Schema.String,
    families: Schema.Array(Family),
    serviceOperations: Schema.Array(ServiceOperation)
  }).annotations({ identifier: "CapabilityFamilies" }),
  problems: []
})
