/** Finds the transactions that executed published requests by their chain alone, and proves of others that none ever will. */
import { Array, Effect, Metric, Option, Order } from "effect"
import type { Block, ChainSession } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { transactionReceipt } from "../chain/Reads.ts"
import { sentTransaction } from "../chain/TraceReads.ts"
import { deadProofs } from "../dispatch/FinalProofs.ts"
import type { FinalAndLatest } from "../dispatch/FinalReads.ts"
import { isSearchedAnew } from "../dispatch/LetGo.ts"
import { type SearchedEvents, type SoughtEvents, searchEvents } from "../dispatch/SearchEvents.ts"
import { lookAtHeads, placesToKeep, type SearchHeads, searchedFrom } from "../dispatch/SearchHeads.ts"
import type { AdmittedStanding, Superseded } from "../dispatch/Transport.ts"
import { countExpired } from "../dispatch/TransportMetrics.ts"
import { mayBeExecuted } from "../plans/Step.ts"
import { failpoint } from "../values/Failpoint.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import {
  EXECUTED_TOPIC,
  type ExecutedRequest,
  executedBy,
  type PublishedRequest,
  signerTopic
} from "./ForwardedCalls.ts"
import { type ForwarderNonce, forwarderNonces } from "./ForwarderNonce.ts"
import { isItsExecution, publishedRequest } from "./ProveForwarded.ts"
import { SponsoredCallStore } from "./SponsoredCallStore.ts"
import {
  FORWARD_NONCE_CONSUMED,
  FORWARD_NONCE_PASSED,
  isTakenByOthers,
  isTakenForGood
} from "./SponsorshipState.ts"

const PASSED: Superseded = {
  reason: FORWARD_NONCE_PASSED,
  isFinal: true,
  believedReason: FORWARD_NONCE_CONSUMED
}

/** A request that a block may still execute, as far as is known. */
interface OpenRequest extends PublishedRequest {
  readonly standing: AdmittedStanding
  readonly from: bigint
}

/** Those of one wallet and forwarder, which are looked for together. */
interface OpenSigner extends SoughtEvents {
  readonly signer: Address
  readonly requests: ReadonlyArray<OpenRequest>
}

const signersOf = (requests: ReadonlyArray<OpenRequest>): ReadonlyArray<OpenSigner> => {
  const nameOf = ({ account, request }: OpenRequest) => `${account}/${request.forwarder}`
  return Object.values(Array.groupBy(requests, nameOf)).map(own => {
    const [{ account: signer, request }] = own
    const from = Array.min(
      Array.map(own, each => each.from),
      Order.bigint
    )
    return { contract: request.forwarder, word: signerTopic(signer), signer, from, requests: own }
  })
}

interface Searched extends Pick<SearchedEvents, "to"> {
  readonly executed: ReadonlyArray<ExecutedRequest>
}

interface LookedSigner extends OpenSigner {
  readonly searched: Option.Option<Searched>
  /** How many requests the forwarder had executed at the final block. */
  readonly nonce: Option.Option<ForwarderNonce>
}

const isOver = ({ request }: OpenRequest, { timestamp }: Block): boolean =>
  timestamp > BigInt(request.deadline)

/** All of a forwarder's signers by the same questions. */
const noncesAt = Effect.fnUntraced(function* (
  session: ChainSession,
  signers: ReadonlyArray<OpenSigner>,
  { final, latest }: { readonly final: Block; readonly latest: Block }
) {
  const mayBeDead = signers.some(({ requests }) => requests.some(open => isOver(open, final)))
  const heads: FinalAndLatest = { final, latest: mayBeDead ? latest : undefined }
  const perForwarder = yield* forEachAtOnce(
    Object.values(Array.groupBy(signers, ({ contract }) => contract)),
    own => {
      const asked = own.map(({ signer }) => signer)
      return Effect.map(forwarderNonces(session, own[0].contract, asked, heads), told => Array.zip(own, told))
    }
  )
  return new Map(perForwarder.flat())
})

const lookForAll = Effect.fnUntraced(function* (
  session: ChainSession,
  { latest, final }: SearchHeads,
  signers: ReadonlyArray<OpenSigner>
) {
  const [searched, nonces] = yield* Effect.all(
    [
      searchEvents(session, EXECUTED_TOPIC, signers, latest.number),
      final === null
        ? Effect.succeed(new Map<OpenSigner, never>())
        : noncesAt(session, signers, { final, latest })
    ],
    { concurrency: "unbounded" }
  )
  return signers.map(
    (signer): LookedSigner => ({
      ...signer,
      searched: Option.map(searched.get(signer) ?? Option.none(), ({ logs, to }) => ({
        executed: executedBy(logs, signer.contract, signer.signer),
        to
      })),
      nonce: nonces.get(signer) ?? Option.none()
    })
  )
})

/** A provider's word is worth a look: the transaction counts if it is this request's. */
const hinted = Effect.fnUntraced(function* (session: ChainSession, published: OpenRequest) {
  const { hint, nonce, forwarder } = published.request
  if (hint === null || hint === published.standing.facts.receipt?.transactionHash) return undefined
  const [told, sent] = yield* session.all([
    tentative(transactionReceipt(hint)),
    tentative(sentTransaction(hint))
  ])
  const receipt = Option.getOrNull(told)
  const transaction = Option.getOrNull(sent)
  if (receipt === null || transaction === null) return undefined
  const isExecuted = executedBy(receipt.logs, forwarder, published.account).some(
    event => event.nonce === nonce
  )
  const hasFailed = receipt.status === "reverted" && isItsExecution(published, transaction)
  return isExecuted || hasFailed ? hint : undefined
})

const executionOf = ({ request }: PublishedRequest, { searched }: Pick<LookedSigner, "searched">) =>
  Option.getOrUndefined(searched)?.executed.findLast(({ nonce }) => nonce === request.nonce)

/** At the final block, by the code that the request was signed for. */
const nextNonce = ({ request }: PublishedRequest, { nonce }: LookedSigner) =>
  Option.getOrUndefined(Option.filter(nonce, ({ codeHash }) => codeHash === request.forwarderCodeHash))

/** Its nonce is used at the final block, up to which no event of it was found or had to be. */
const isPassed = (open: OpenRequest, looked: LookedSigner, final: Block | null): boolean => {
  const next = nextNonce(open, looked)
  const isSearched = final !== null && Option.exists(looked.searched, ({ to }) => to >= final.number)
  const isKnown = isSearched || isTakenForGood(open.standing.facts)
  return isKnown && next?.isFinal === true && next.next > BigInt(open.request.nonce)
}

/** Where its chain does not say, or is looked through anew, it stays another's. */
const takenBefore = (open: OpenRequest, looked: LookedSigner): Superseded | undefined => {
  const { facts } = open.standing
  const next = nextNonce(open, looked)
  const reason = facts.semantic?.reason
  const isUnheard =
    (Option.isNone(looked.searched) && isTakenByOthers(facts)) ||
    (next === undefined && isTakenForGood(facts)) ||
    (reason === FORWARD_NONCE_PASSED && (next === undefined || next.next > BigInt(open.request.nonce)))
  return isUnheard && reason !== undefined ? { reason, isFinal: false } : undefined
}

/** Its execution, what the provider names, what was seen of it before, or that nothing can be. */
const foundOf = (
  open: OpenRequest,
  looked: LookedSigner,
  hint: Bytes32 | undefined,
  final: Block | null
): Bytes32 | Superseded | undefined => {
  const { receipt } = open.standing.facts
  const hash = executionOf(open, looked)?.log.transactionHash ?? hint ?? receipt?.transactionHash
  return hash ?? (isPassed(open, looked, final) ? PASSED : takenBefore(open, looked))
}

const isDeadAt = (open: OpenRequest, looked: LookedSigner, final: Block): boolean => {
  const next = nextNonce(open, looked)
  return (
    isOver(open, final) &&
    next !== undefined &&
    next.next <= BigInt(open.request.nonce) &&
    !executionOf(open, looked)
  )
}

const keepDead = Effect.fnUntraced(function* (looked: ReadonlyArray<LookedSigner>, final: Block) {
  const dead = looked.flatMap(signer => signer.requests.filter(open => isDeadAt(open, signer, final)))
  if (dead.length === 0) return
  const store = yield* SponsoredCallStore
  const died = yield* store.died(
    dead.map(({ standing }) => standing),
    final
  )
  yield* Metric.incrementBy(deadProofs, died)
  yield* countExpired("sponsorship", died)
  yield* failpoint("sponsor.dead")
})

/** It must be there, and may be where a node without its logs was looked through by earlier looks. */
const isMissedBefore = (open: OpenRequest, looked: LookedSigner, final: Block | null): boolean => {
  const { facts } = open.standing
  return (
    open.request.searchedBlock !== null &&
    !isTakenForGood(facts) &&
    isSearchedAnew(facts.sights) &&
    executionOf(open, looked) === undefined &&
    isPassed(open, looked, final)
  )
}

/** What was found is looked for anew until it is stored, and what must be there but was not found is looked for where it was, or from the start; once it is another's for good, it holds the others' search back no more. */
const unfoundBy = ({ final, latest }: SearchHeads, looked: LookedSigner) => {
  const { searched, requests, from } = looked
  if (Option.isNone(searched)) return []
  const { to } = searched.value
  const isMissed = (open: OpenRequest) =>
    isPassed(open, looked, final) && (to >= latest.number || isMissedBefore(open, looked, final))
  const of = requests.filter(
    open =>
      isTakenForGood(open.standing.facts) || (executionOf(open, looked) === undefined && !isMissed(open))
  )
  return of.length === 0 ? [] : [{ of: of.map(({ standing }) => standing), from, to }]
}

const keepPlaces = Effect.fnUntraced(function* (heads: SearchHeads, looked: ReadonlyArray<LookedSigner>) {
  const store = yield* SponsoredCallStore
  const missed = looked.flatMap(signer =>
    signer.requests.filter(open => isMissedBefore(open, signer, heads.final))
  )
  if (missed.length > 0) yield* store.searchAnew(missed.map(({ standing }) => standing))
  const kept = yield* placesToKeep(
    heads,
    looked.flatMap(signer => unfoundBy(heads, signer))
  )
  yield* Effect.forEach(kept, ({ of, place }) => store.searched(of, place), { discard: true })
})

const openOf =
  (heads: SearchHeads) =>
  (standing: AdmittedStanding): ReadonlyArray<OpenRequest> => {
    const published = mayBeExecuted(standing.facts) ? publishedRequest(standing) : undefined
    return published === undefined
      ? []
      : [{ ...published, standing, from: searchedFrom(published.request, heads) }]
  }

type Located = ReadonlyMap<AdmittedStanding, Bytes32 | Superseded | undefined>

/** In two round trips, whatever is looked for; where a transaction that a provider names is too large to be read, in a third without its words. */
const located = Effect.fnUntraced(function* (chainId: number, open: ReadonlyArray<AdmittedStanding>) {
  const heads = yield* lookAtHeads(
    chainId,
    open.flatMap(standing => publishedRequest(standing)?.request ?? [])
  )
  const requests = open.flatMap(openOf(heads))
  const together = batched(heads.session)
  const both = { concurrency: "unbounded" } as const
  const looks = lookForAll(together, heads, signersOf(requests))
  const words = forEachAtOnce(requests, request => hinted(together, request))
  const [looked, hints] = yield* Effect.catchTag(
    Effect.all([looks, words], both),
    "RPC_INVALID_RESPONSE",
    () => Effect.map(looks, alone => [alone, []] as const)
  )
  yield* failpoint("sponsor.located")
  if (heads.final !== null) yield* keepDead(looked, heads.final)
  yield* keepPlaces(heads, looked)
  const hintOf = new Map(requests.map(({ standing }, index) => [standing, hints[index]]))
  return new Map(
    looked.flatMap(signer =>
      signer.requests.map(
        each => [each.standing, foundOf(each, signer, hintOf.get(each.standing), heads.final)] as const
      )
    )
  )
})

const namesOf = (ids: ReadonlyArray<string>): string => [...new Set(ids)].join(" ")

/** What is executed stays where it was found, until its block is gone. */
export const locateForwarded = Effect.fn("Sponsorship.locate")(function* (
  chainId: number,
  steps: ReadonlyArray<AdmittedStanding>
) {
  const open = steps.filter(({ facts }) => mayBeExecuted(facts))
  yield* Effect.annotateCurrentSpan({
    chain: chainId,
    plan: namesOf(steps.map(({ planId }) => planId)),
    sponsorship: namesOf(steps.map(({ binding }) => binding.bindingId))
  })
  const found: Located = open.length === 0 ? new Map() : yield* located(chainId, open)
  return steps.map(standing =>
    found.has(standing) ? found.get(standing) : standing.facts.receipt?.transactionHash
  )
})
