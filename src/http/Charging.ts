/** What a client's address pays for where no account does: once for a request, however it ends. */
import type { Duplex } from "node:stream"
import { Effect } from "effect"
import type { RateLimited } from "../accounts/refusals.ts"
import { ProblemRegister } from "../values/ProblemRegister.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { AddressBudget } from "./AddressBudget.ts"
import type { BudgetKind } from "./AddressUsage.ts"
import { peerAddress } from "./ClientAddress.ts"
import type { Exchange } from "./Exchange.ts"

/** Not for what the caller did, but for how busy the service or its address is. */
const UNCHARGED = ["RATE_LIMITED", "SERVICE_BUSY"]

const isOfCaller = ({ _tag }: AnyRefusal): boolean =>
  ProblemRegister[_tag].status < 500 && !UNCHARGED.includes(_tag)

type Budget = typeof AddressBudget.Service

/** Before work that costs; refuses an address that has nothing left. */
export const chargeFirst = (
  budget: Budget,
  exchange: Exchange,
  kind: BudgetKind,
  address: string
): Effect.Effect<void, RateLimited> =>
  Effect.suspend(() => {
    if (exchange.charged) return Effect.void
    exchange.charged = true
    return Effect.zipRight(budget.check(kind, address), budget.charge(kind, address))
  })

/** Who turned out to be known pays by an account's quota instead. */
export const giveBack = (budget: Budget, exchange: Exchange, address: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (!exchange.charged) return Effect.void
    exchange.charged = false
    return budget.giveBack("unauthenticated", address)
  })

/** What the refused is told: that its address has nothing left, where it would be charged for more. */
export const chargeRefused = (
  budget: Budget,
  exchange: Exchange,
  address: () => string,
  refusal: AnyRefusal
): Effect.Effect<AnyRefusal> =>
  exchange.charged || exchange.quota !== undefined || !isOfCaller(refusal)
    ? Effect.succeed(refusal)
    : Effect.match(chargeFirst(budget, exchange, "unauthenticated", address()), {
        onFailure: spent => spent,
        onSuccess: () => refusal
      })

/** Who sent what could not be read as a request is known by the connection alone. */
export const chargePeer = (socket: Duplex) =>
  Effect.flatMap(AddressBudget, budget => budget.charge("unauthenticated", peerAddress(socket)))
