import { Schema } from "effect"
import { Address } from "../../values/Scalars.ts"

export const ofSuckers = ["UNTRUSTED_SUCKER", "SUCKER_PROJECT_MISMATCH", "DEPLOYMENT_UNAVAILABLE"] as const

export const SuckerAddress = Schema.typeSchema(Address)
