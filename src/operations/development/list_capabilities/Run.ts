import { Effect } from "effect"
import { Settings } from "../../../settings/Settings.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { OperationFamilies } from "../../framework/OperationFamily.ts"
import { listCapabilities } from "./Declaration.ts"
import { serviceOperations } from "./ServiceOperations.ts"

export const runListCapabilities = defineOperation(listCapabilities, () =>
  Effect.zipWith(Settings, OperationFamilies, ({ audience }, families) => ({
    name: "Signed-request service",
    version: "1.0.0",
    protocolVersion: 6 as const,
    publicOrigin: new URL(audience).origin,
    amountEncoding: "Amounts are decimal strings of atomic units.",
    execution:
      "The service neither signs nor broadcasts on its own: it relays exactly the bytes that a wallet signed.",
    families,
    serviceOperations
  }))
)
