/** Whether a provider's bundle holds exactly the requests that were published, and which of its ids names which of them. */
import { Either } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { outerCallHash } from "../values/ForwardRequest.ts"
import type { ProviderBundle, ToldTransaction } from "./ProviderBundle.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import type { Authorization, QuoteDoubt, QuotedTransaction } from "./Sponsorship.ts"
import { virtualNonce } from "./VirtualNonce.ts"

export interface PublishedBundle {
  readonly quote: ProviderQuote
  readonly authorizations: ReadonlyArray<Authorization>
  /** As bound before: a binding never changes. */
  readonly bound: ReadonlyArray<QuotedTransaction> | undefined
}

export interface BoundRequest {
  readonly transaction: QuotedTransaction
  readonly status: unknown
}

const sameIds = (told: ReadonlyArray<string>, published: ReadonlyArray<string>): boolean =>
  canonicalJson(told.toSorted()) === canonicalJson(published.toSorted())

/** By its bytes; the order says nothing. */
const toldOf = (
  { authorizations, quote }: PublishedBundle,
  { transactions }: ProviderBundle,
  position: number
) => {
  const authorization = authorizations[position]
  return transactions.find(
    ({ request }: ToldTransaction) =>
      authorization !== undefined &&
      request.chain === authorization.chainId &&
      request.target === authorization.forwarder &&
      request.value === authorization.message.value &&
      request.virtual_nonce === virtualNonce(authorizations, position) &&
      outerCallHash(request.data) === quote.outerCallHashes?.[position]
  )
}

export const boundRequests = (
  published: PublishedBundle,
  bundle: ProviderBundle
): Either.Either<ReadonlyArray<BoundRequest>, QuoteDoubt> => {
  const { quote, authorizations, bound } = published
  if (bundle.bundle_uuid !== quote.bundleId) return Either.left("bundle-id")
  const ids = bundle.transactions.map(({ tx_uuid }) => tx_uuid)
  if (!sameIds(ids, quote.transactionIds)) return Either.left("transaction-ids")
  const found = authorizations.flatMap(({ stepIndex, chainId }, position) => {
    const told = toldOf(published, bundle, position)
    const hash = quote.outerCallHashes?.[position]
    if (told === undefined || hash === undefined) return []
    const transaction: QuotedTransaction = {
      transactionId: told.tx_uuid,
      stepIndex,
      chainId,
      outerCallHash: hash
    }
    return [{ transaction, status: told.status }]
  })
  if (found.length !== authorizations.length) return Either.left("request")
  const now = canonicalJson(found.map(({ transaction }) => transaction))
  return bound !== undefined && canonicalJson(bound) !== now
    ? Either.left("transaction-ids")
    : Either.right(found)
}
