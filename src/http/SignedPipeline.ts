/** The order of work for a signed request, cheap first: nothing is consumed before the signature is verified. */
import { Context, Effect, Either } from "effect"
import { judgeEnrolling } from "../accounts/Enrollment.ts"
import type { Admission } from "../accounts/LedgerVerdict.ts"
import { NonceLedger } from "../accounts/NonceLedger.ts"
import { Principal } from "../accounts/Principal.ts"
import { Forbidden } from "../accounts/refusals.ts"
import { actorOf, ledgerRequest, type Transmitted, verifySignature } from "../auth/Authenticate.ts"
import { parseSignedHeaders, type SignedHeaders } from "../auth/RequestHeaders.ts"
import { checkWindow } from "../auth/RequestWindow.ts"
import { IdempotencyRequired } from "../auth/refusals.ts"
import { SignedRequest } from "../auth/SignedRequest.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { stage } from "../telemetry/Stage.ts"
import { failpoint } from "../values/Failpoint.ts"
import { AddressBudget } from "./AddressBudget.ts"
import type { SignedAccess } from "./api/Access.ts"
import { checkDeclaredBody, declaresBody, readBody } from "./BufferedRequest.ts"
import { type Exchange, header } from "./Exchange.ts"
import { parseQuery } from "./Input.ts"
import { InWork } from "./InWork.ts"
import type { Prepared, SignedRoute } from "./Route.ts"

export interface SignedMatch<R> {
  readonly route: SignedRoute<R>
  readonly path: Readonly<Record<string, string>>
  readonly query: string | undefined
  readonly address: string
}

const transmitted = (exchange: Exchange, body: Uint8Array): Transmitted => ({
  method: exchange.method,
  target: exchange.target,
  contentType: header(exchange, "content-type") ?? "",
  body
})

const judge = (headers: SignedHeaders, access: SignedAccess) => {
  const request = ledgerRequest(headers, access)
  if (!access.enrolment) return Effect.flatMap(NonceLedger, ledger => ledger.judge(request))
  return headers.signer === headers.owner && headers.grantId === undefined
    ? judgeEnrolling(
        { accountId: headers.accountId, authorityChainId: headers.authorityChainId, owner: headers.owner },
        { ...request, wantsAccount: true }
      )
    : Effect.fail(new Forbidden())
}

const requireIdempotency = (headers: SignedHeaders, access: SignedAccess) =>
  access.idempotency === "required" && headers.idempotencyKey === undefined
    ? Either.left(new IdempotencyRequired())
    : Either.void

/** Everything that can be refused from the request line and the headers alone. */
const screen = <R>(exchange: Exchange, match: SignedMatch<R>, estimateMillis: number) =>
  Either.gen(function* () {
    const headers = yield* parseSignedHeaders(exchange.headers)
    exchange.signed = headers
    yield* requireIdempotency(headers, match.route.access)
    yield* checkDeclaredBody(exchange, {
      takesBody: match.route.takesBody,
      bytes: match.route.access.bodyBytes
    })
    yield* checkWindow(headers, estimateMillis)
    const prepared = yield* match.route.prepare(
      match.path,
      yield* parseQuery(match.query, match.route.queryNames)
    )
    return { headers, prepared }
  })

const work = <R>(
  prepared: Prepared<R>,
  exchange: Exchange,
  sent: Transmitted,
  headers: SignedHeaders,
  admission: Admission
) =>
  Effect.flatMap(actorOf(headers, admission), actor => {
    const { idempotencyKey } = headers
    const request = { ...sent, requestId: exchange.id, idempotencyKey, account: admission.account }
    const context = Context.make(Principal, actor).pipe(Context.add(SignedRequest, request))
    return Effect.provide(prepared(sent.body), context)
  })

const verifying = stage("Authenticate.verify")

const verifiedWork = Effect.fnUntraced(function* <R>(
  exchange: Exchange,
  access: SignedAccess,
  headers: SignedHeaders,
  sent: Transmitted,
  prepared: Prepared<R>
) {
  yield* failpoint("request.bodyRead")
  yield* verifying(verifySignature(headers, sent))
  yield* failpoint("request.verified")
  const judgement = yield* judge(headers, access)
  yield* failpoint("request.judged")
  if (judgement.quota !== undefined)
    exchange.quota = { kind: headers.grantId === undefined ? "owner" : "bots", figures: judgement.quota }
  const admission = yield* judgement.verdict
  return yield* work(prepared, exchange, sent, headers, admission)
})

export const signedWork = Effect.fnUntraced(function* <R>(exchange: Exchange, match: SignedMatch<R>) {
  const budget = yield* AddressBudget
  const inWork = yield* InWork
  yield* budget.check("unauthenticated", match.address)
  const estimate = yield* (yield* DatabaseClock).estimate
  const { headers, prepared } = yield* screen(exchange, match, estimate)
  const { access } = match.route
  const reading = readBody(exchange, { takesBody: match.route.takesBody, bytes: access.bodyBytes })
  const body = yield* declaresBody(exchange) ? inWork.reading(reading) : reading
  exchange.body = body
  yield* inWork.enter(exchange)
  return yield* verifiedWork(exchange, access, headers, transmitted(exchange, body), prepared)
})
