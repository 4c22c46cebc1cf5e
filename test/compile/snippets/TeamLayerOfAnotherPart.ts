import { Effect, Layer } from "effect"
import { AccountLock } from "../../../src/accounts/AccountLock.ts"
import { serviceLayer } from "../../../src/service/main.ts"

export const service = serviceLayer({ layers: Layer.effect(AccountLock, Effect.never) })
