/** Hands a signed request to its authentication: what of it was declared and decoded, and what its client's address has left. */
import { Effect, Either } from "effect"
import { makeAuthenticate } from "../auth/Authenticate.ts"
import { AddressBudget } from "./AddressBudget.ts"
import { type BodyRule, checkDeclaredBody, declaresBody, readBody } from "./BufferedRequest.ts"
import { chargeFirst, giveBack } from "./Charging.ts"
import type { Exchange } from "./Exchange.ts"
import { parseQuery } from "./Input.ts"
import { InWork } from "./InWork.ts"
import type { SignedRoute } from "./Route.ts"

export interface SignedMatch<R> {
  readonly route: SignedRoute<R>
  readonly path: Readonly<Record<string, string>>
  readonly query: string | undefined
  readonly address: string
}

const bodyRule = <R>({ takesBody, access }: SignedRoute<R>): BodyRule => ({
  takesBody,
  bytes: access.bodyBytes
})

/** What every signed request asks, looked up once. */
export const makeSignedWork = Effect.gen(function* () {
  const budget = yield* AddressBudget
  const inWork = yield* InWork
  const authenticate = yield* makeAuthenticate<Exchange>({
    charge: (exchange, address) => chargeFirst(budget, exchange, "unauthenticated", address),
    giveBack: (exchange, address) => giveBack(budget, exchange, address),
    enterWork: inWork.enter
  })

  return <R>(exchange: Exchange, { route, path, query, address }: SignedMatch<R>) => {
    const left = budget.check("unauthenticated", address)
    if (Either.isLeft(left)) return Effect.fail(left.left)
    return authenticate({
      exchange,
      access: route.access,
      address,
      declared: () => checkDeclaredBody(exchange, bodyRule(route)),
      prepare: () => Either.flatMap(parseQuery(query, route), parameters => route.prepare(path, parameters)),
      reading: declaresBody(exchange) ? inWork.reading(readBody(exchange, route.access.bodyBytes)) : undefined
    })
  }
})
