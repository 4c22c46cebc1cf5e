/** One request from its raw target to its answer. */
import { type Cause, Effect, Either, Unify } from "effect"
import { makeAuthenticate } from "../auth/Authenticate.ts"
import { diagnosisOf } from "../auth/RequestDiagnosis.ts"
import { headerOf, NO_BODY } from "../auth/SignedRequest.ts"
import { Settings } from "../settings/Settings.ts"
import { traceIdOf } from "../telemetry/Requests.ts"
import { lastingJson } from "../values/Conforms.ts"
import { HangUp } from "../values/HangUp.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { AddressBudget, chargeFirst, chargeRefused, checkSignedBudget, giveBack } from "./AddressBudget.ts"
import { type Answer, corsPreflight, jsonAnswer } from "./Answer.ts"
import {
  type BodyRule,
  checkDeclaredBody,
  declaredLength,
  declaresBody,
  readBody
} from "./BufferedRequest.ts"
import { clientAddress, type Proxies } from "./ClientAddress.ts"
import type { Exchange } from "./Exchange.ts"
import type { Reply } from "./Handlers.ts"
import { hungUp } from "./HangingUp.ts"
import { InWork } from "./InWork.ts"
import type { PinnedAnswers } from "./PinnedAnswers.ts"
import { problemAnswer, refusalOf } from "./Problems.ts"
import { isFilledPage } from "./pages/ConsoleShell.ts"
import { consoleAt, PAGE_METHODS, pageNotFound, toDocumentation } from "./pages/Pages.ts"
import { parseQuery, parseTarget, type RequestTarget } from "./RequestTarget.ts"
import { isPublic, type makeRouter, type PublicRoute, type Route, type SignedRoute } from "./Route.ts"
import { MethodNotAllowed } from "./refusals.ts"
import { reviewPageOf, walletWork } from "./WalletPages.ts"

export interface Pipeline<P, S> {
  readonly router: ReturnType<typeof makeRouter<P, S>>
  readonly pinned: PinnedAnswers
  readonly budget: typeof AddressBudget.Service
  readonly proxies: Proxies
  readonly pages: ReadonlyMap<string, () => Answer>
  /** Once the listener ends. */
  readonly ended: Effect.Effect<void>
  readonly signedWork: Effect.Effect.Success<typeof makeSignedWork>
}

interface Found<Kind> {
  readonly route: Kind
  readonly path: Readonly<Record<string, string>>
  readonly query: string | undefined
}

const answerOf = (route: { readonly status: number }, { value, headers }: Reply<unknown>) =>
  jsonAnswer(route.status, value, headers)

/** The same however a target spells it, and in whichever order. */
const questionOf = <P>(
  { name, queryNames }: PublicRoute<P>,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>
): string => JSON.stringify([name, Object.values(path), queryNames.map(each => query[each] ?? null)])

const publicWork = Effect.fnUntraced(function* <P, S>(
  exchange: Exchange,
  pipeline: Pipeline<P, S>,
  found: Found<PublicRoute<P>>
) {
  const { route, path, query } = found
  const budget = yield* AddressBudget
  const address = clientAddress(exchange, pipeline.proxies)
  yield* checkDeclaredBody(exchange, { takesBody: false, bytes: 0 })
  yield* chargeFirst(budget, exchange, "discovery", address)
  const parameters = yield* parseQuery(query, route)
  const key = questionOf(route, path, parameters)
  const known = route.access.pinned ? pipeline.pinned.known(exchange, key) : undefined
  if (known !== undefined) return yield* known
  const prepared = yield* route.prepare(path, parameters)
  const given = yield* yield* prepared(NO_BODY)
  if (!route.access.pinned) return yield* answerOf(route, given)
  const answer = yield* jsonAnswer(route.status, given.value, given.headers, lastingJson)
  return yield* pipeline.pinned.keep(exchange, key, answer)
})

const pageCharged = Effect.fnUntraced(function* (
  exchange: Exchange,
  proxies: Proxies,
  query: string | undefined
) {
  if (!PAGE_METHODS.includes(exchange.method))
    return yield* new MethodNotAllowed({ context: { allow: PAGE_METHODS } })
  yield* checkDeclaredBody(exchange, { takesBody: false, bytes: 0 })
  yield* parseQuery(query, { queryNames: [], queryChoices: {} })
  const budget = yield* AddressBudget
  const address = clientAddress(exchange, proxies)
  yield* chargeFirst(budget, exchange, "discovery", address)
})

const routed = <P, S>(
  exchange: Exchange,
  pipeline: Pipeline<P, S>,
  { route, path, query }: Found<Route<P, S>>
) => {
  if (isPublic(route)) return publicWork(exchange, pipeline, { route, path, query })
  const address = clientAddress(exchange, pipeline.proxies)
  return pipeline.signedWork(exchange, { route, path, query, address }).pipe(
    Effect.flatMap(reply => answerOf(route, reply)),
    Effect.provideService(HangUp, Effect.raceFirst(hungUp(exchange), pipeline.ended))
  )
}

const routeOf = <P, S>(exchange: Exchange, pipeline: Pipeline<P, S>, { path, query }: RequestTarget) => {
  const match = pipeline.router(exchange.method, path)
  if (Either.isLeft(match)) return Effect.fail(match.left)
  exchange.route = match.right.route.name
  exchange.template = match.right.route.at
  return routed(exchange, pipeline, { route: match.right.route, path: match.right.path, query })
}

const preflight = <P, S>(exchange: Exchange, { budget, proxies }: Pipeline<P, S>) =>
  Effect.as(chargeFirst(budget, exchange, "kept", clientAddress(exchange, proxies)), corsPreflight)

const keptPage = (exchange: Exchange, pinned: PinnedAnswers, path: string, page: () => Answer) =>
  pinned.known(exchange, path) ?? pinned.keep(exchange, path, page())

const API = /^\/api\/v1(?:\/|$)/

const work = <P, S>(exchange: Exchange, pipeline: Pipeline<P, S>) => {
  const target = parseTarget(exchange.target)
  if (Either.isLeft(target)) return Effect.fail(target.left)
  const { path, query } = target.right
  if (API.test(path))
    return exchange.method === "OPTIONS"
      ? preflight(exchange, pipeline)
      : routeOf(exchange, pipeline, target.right)
  const asked = isFilledPage(path) ? undefined : query
  const charged = Effect.suspend(() => pageCharged(exchange, pipeline.proxies, asked))
  const page = pipeline.pages.get(path)
  if (page !== undefined)
    return Effect.flatMap(charged, () => keptPage(exchange, pipeline.pinned, path, page))
  const unkept = path === "/" ? toDocumentation : consoleAt(path)
  if (unkept !== undefined) return Effect.as(charged, unkept)
  const place = reviewPageOf(target.right)
  if (place !== undefined) return walletWork(exchange, pipeline.proxies, place, query)
  return routeOf(exchange, pipeline, target.right)
}

const wantsPage = (exchange: Exchange): boolean =>
  !exchange.target.startsWith("/api") && (headerOf(exchange.headers, "accept") ?? "").includes("text/html")

const refuse = Effect.fnUntraced(function* <P, S>(
  exchange: Exchange,
  pipeline: Pipeline<P, S>,
  found: AnyRefusal
) {
  const { audience } = yield* Settings
  const budget = yield* AddressBudget
  const address = () => clientAddress(exchange, pipeline.proxies)
  const refusal = yield* chargeRefused(budget, exchange, address, found)
  exchange.code = refusal._tag
  if (refusal._tag === "ENDPOINT_NOT_FOUND" && wantsPage(exchange)) return pageNotFound()
  const diagnosis = yield* diagnosisOf(exchange, declaresBody(exchange) ? undefined : NO_BODY, refusal)
  return problemAnswer(refusal, { audience, requestId: exchange.id, diagnosis })
})

const refuseCause = <P, S>(exchange: Exchange, pipeline: Pipeline<P, S>, cause: Cause.Cause<AnyRefusal>) =>
  Effect.flatMap(refusalOf(cause), refusal => refuse(exchange, pipeline, refusal)).pipe(
    Effect.annotateLogs({ requestId: exchange.id, traceId: traceIdOf(exchange.id) })
  )

/** Never fails: whatever goes wrong becomes a problem object, and so does what was wrong from the start. */
export const answerOfExchange = <P, S>(
  exchange: Exchange,
  pipeline: Pipeline<P, S>,
  misaddressed: AnyRefusal | undefined
) =>
  Effect.suspend(
    Unify.unify(() => (misaddressed === undefined ? work(exchange, pipeline) : Effect.fail(misaddressed)))
  ).pipe(
    Effect.sandbox,
    Effect.catchAll(cause => refuseCause(exchange, pipeline, cause))
  )

/** Answers from kept bytes without any further work where that is right. */
export const answerAtOnce = (
  exchange: Exchange,
  { pinned, budget, proxies }: Pick<Pipeline<never, never>, "pinned" | "budget" | "proxies">
): Answer | undefined => {
  if (exchange.method !== "GET" && exchange.method !== "HEAD") return undefined
  if (declaresBody(exchange) || exchange.request.headers["content-type"] !== undefined) return undefined
  const address = clientAddress(exchange, proxies)
  if (Either.isLeft(budget.check("kept", address))) return undefined
  const kept = pinned.ready(exchange)
  return kept !== undefined && budget.take("kept", address) ? kept : undefined
}

interface SignedMatch<R> {
  readonly route: SignedRoute<R>
  readonly path: Readonly<Record<string, string>>
  readonly query: string | undefined
  readonly address: string
}

const bodyRule = <R>({ takesBody, access }: SignedRoute<R>): BodyRule => ({
  takesBody,
  bytes: access.bodyBytes
})

/** Hands a signed request to its authentication: what of it was declared and decoded, and what its client's address has left. */
export const makeSignedWork = Effect.gen(function* () {
  const budget = yield* AddressBudget
  const inWork = yield* InWork
  const authenticate = yield* makeAuthenticate<Exchange>({
    charge: (exchange, address) => chargeFirst(budget, exchange, "unauthenticated", address),
    giveBack: (exchange, address) => giveBack(budget, exchange, address),
    enterWork: inWork.enter,
    enterEnrolment: inWork.enroll
  })

  return <R>(exchange: Exchange, { route, path, query, address }: SignedMatch<R>) => {
    const left = checkSignedBudget(budget, exchange, address)
    if (Either.isLeft(left)) return Effect.fail(left.left)
    const { bodyBytes } = route.access
    return authenticate({
      exchange,
      access: route.access,
      address,
      declared: () => checkDeclaredBody(exchange, bodyRule(route)),
      prepare: () => Either.flatMap(parseQuery(query, route), parameters => route.prepare(path, parameters)),
      reading: declaresBody(exchange)
        ? inWork.reading<Uint8Array, AnyRefusal>({
            read: readBody(exchange, bodyBytes),
            address,
            bytes: declaredLength(exchange) ?? bodyBytes,
            pay: chargeFirst(budget, exchange, "unauthenticated", address)
          })
        : undefined
    })
  }
})
