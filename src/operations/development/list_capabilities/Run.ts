import { Effect } from "effect"
import { Settings } from "../../../settings/Settings.ts"
import { declarations } from "../../framework/Declarations.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { families } from "../../generated/Families.ts"
import { listCapabilities } from "./Declaration.ts"
import { serviceOperations } from "./ServiceOperations.ts"

const described = families.map(({ operations, ...family }) => ({
  ...family,
  tools: operations.map(id => ({ name: id, description: declarations[id].description }))
}))

export const runListCapabilities = defineOperation(listCapabilities, () =>
  Effect.map(Settings, ({ audience }) => ({
    name: "Signed-request service",
    version: "1.0.0",
    protocolVersion: 6 as const,
    publicOrigin: new URL(audience).origin,
    amountEncoding: "Amounts are decimal strings of atomic units.",
    execution:
      "The service neither signs nor broadcasts on its own: it relays exactly the bytes that a wallet signed.",
    families: described,
    serviceOperations
  }))
)
