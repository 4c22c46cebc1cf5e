import { Schema } from "effect"
import { Abi } from "../../../catalog/Abi.ts"
import { Generation } from "../../../catalog/Inventory.ts"
import { Address, ChainId } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { optional, text } from "../../shared/inputs/Parts.ts"
import { NamedContract } from "../Inputs.ts"

const checksummed = Schema.typeSchema(Address)

const version = Schema.Literal(6)

export const getContract = declareOperation({
  id: "get_contract",
  kind: "reference",
  sources: ["reference"],
  title: "Show a contract",
  description: "The pinned ABI of a contract and, for a chain, its address and generations.",
  input: strict({
    name: NamedContract,
    chainId: optional(ChainId),
    functionName: optional(text(100, 1))
  }),
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
