/** The pages where a wallet's owner decides a payment. Nobody signs to see one: its address shows it, and the passkey alone approves. */
import { Effect, Either, Schema } from "effect"
import { PaymentAssertion } from "../payments/Assertion.ts"
import { approveReview, cancelReview, reviewToPage } from "../payments/DecideReview.ts"
import { Settings } from "../settings/Settings.ts"
import { decoder } from "../values/Conforms.ts"
import { strict } from "../values/Strict.ts"
import { parseStrictJsonBytes } from "../values/StrictJson.ts"
import { AddressBudget, chargeFirst } from "./AddressBudget.ts"
import { jsonAnswer } from "./Answer.ts"
import { ACCOUNT_BODY_BYTES } from "./api/Access.ts"
import { checkDeclaredBody, declaredLength, readBody } from "./BufferedRequest.ts"
import { clientAddress, type Proxies } from "./ClientAddress.ts"
import type { Exchange } from "./Exchange.ts"
import { inputRefusal } from "./Input.ts"
import { InWork } from "./InWork.ts"
import { PAGE_METHODS, pageNotFound, scripted } from "./pages/Pages.ts"
import { paymentReviewPage } from "./pages/PaymentReviewPage.ts"
import { parseQuery, type RequestTarget } from "./RequestTarget.ts"
import { EndpointNotFound, MethodNotAllowed, WalletPageRequired } from "./refusals.ts"

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

const PATH = new RegExp(`^/wallet/payment-reviews/(${UUID})(?:/(approve|cancel))?$`)

export interface ReviewPagePlace {
  readonly id: string
  readonly act: "show" | "approve" | "cancel"
}

export const reviewPageOf = ({ path }: RequestTarget): ReviewPagePlace | undefined => {
  const [, id, act] = PATH.exec(path) ?? []
  if (id === undefined) return undefined
  return { id, act: act === "approve" || act === "cancel" ? act : "show" }
}

/** Said once, and just so. */
const says = ({ headers }: Exchange, name: string, value: string): boolean => {
  const said = headers.get(name) ?? []
  return said.length === 1 && said[0] === value
}

/** A browser says by itself which page sends, and no other page can have it say this. */
const checkPage = Effect.fnUntraced(function* (exchange: Exchange) {
  const { audience } = yield* Settings
  const { origin } = new URL(audience)
  if (!says(exchange, "origin", origin) || !says(exchange, "sec-fetch-site", "same-origin"))
    return yield* new WalletPageRequired()
})

const decodeApproval = decoder(strict({ assertion: PaymentAssertion }))
/** A struct without members would take anything. */
const decodeCancellation = decoder(Schema.Record({ key: Schema.String, value: Schema.Never }))

const bodyOf = Effect.fnUntraced(function* <A>(
  exchange: Exchange,
  address: string,
  decode: ReturnType<typeof decoder<A, unknown>>
) {
  const bytes = yield* (yield* InWork).reading({
    read: readBody(exchange, ACCOUNT_BODY_BYTES),
    address,
    bytes: declaredLength(exchange) ?? ACCOUNT_BODY_BYTES,
    pay: Effect.void
  })
  return yield* Either.mapLeft(decode(yield* parseStrictJsonBytes(bytes)), error => inputRefusal(error))
})

const decided = Effect.fnUntraced(function* (
  exchange: Exchange,
  address: string,
  { id, act }: ReviewPagePlace
) {
  yield* checkPage(exchange)
  if (act === "approve") {
    const { assertion } = yield* bodyOf(exchange, address, decodeApproval)
    yield* (yield* InWork).enter(exchange)
    return yield* jsonAnswer(200, yield* approveReview(id, assertion))
  }
  yield* bodyOf(exchange, address, decodeCancellation)
  return yield* jsonAnswer(200, yield* cancelReview(id))
})

/** There and somebody else's there is none alike. */
const shown = (id: string) =>
  reviewToPage(id).pipe(
    Effect.map(paged => scripted(200, paymentReviewPage(paged))),
    Effect.catchTag("PAYMENT_REVIEW_NOT_FOUND", () => Effect.succeed(pageNotFound()))
  )

const ACTED_BY = ["POST"]

/** Refuses as if there were no such path where the pilot is not configured. */
export const walletWork = Effect.fnUntraced(function* (
  exchange: Exchange,
  proxies: Proxies,
  place: ReviewPagePlace,
  query: string | undefined
) {
  if ((yield* Settings).walletPayments === undefined) return yield* new EndpointNotFound()
  const takesBody = place.act !== "show"
  const allow = takesBody ? ACTED_BY : PAGE_METHODS
  exchange.route = `${place.act}PaymentReviewPage`
  const address = clientAddress(exchange, proxies)
  yield* chargeFirst(yield* AddressBudget, exchange, "wallet", address)
  if (!allow.includes(exchange.method)) return yield* new MethodNotAllowed({ context: { allow } })
  yield* checkDeclaredBody(exchange, { takesBody, bytes: ACCOUNT_BODY_BYTES })
  yield* parseQuery(query, { queryNames: [], queryChoices: {} })
  return yield* takesBody ? decided(exchange, address, place) : shown(place.id)
})
