import { Schema } from "effect"
import { ObservedOf } from "../../values/Observed.ts"
import { Address } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"

export const ShownPoolKey = strict({
  currency0: Address,
  currency1: Address,
  fee: Schema.Int,
  tickSpacing: Schema.Int,
  hooks: Address
}).annotations({ identifier: "PoolKey", description: "The zero address stands for the native token." })

export const authority = Schema.Literal("owner", "permission").annotations({
  description: "by which the account may choose for the project"
})

export const PROJECT = [
  "PROJECT_NOT_FOUND",
  "PROJECT_WITHOUT_CONTROLLER",
  "UNSUPPORTED_CONTROLLER",
  "PERMISSION_REQUIRED"
] as const

export const HOOKS = [
  ...PROJECT,
  "UNSUPPORTED_CONFIGURATION",
  "UNSUPPORTED_721_HOOK",
  "INVALID_721_IDENTITY",
  "UNSUPPORTED_BUYBACK_IMPLEMENTATION"
] as const

export const Choice = ObservedOf(Schema.NullOr(Address))
