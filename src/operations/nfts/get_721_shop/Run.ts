/** A project's shop and a page of its tiers; three round trips, and one more for resolved URIs. */
import { Effect, Either, Schema } from "effect"
import type { FunctionTaking } from "../../../protocol/ContractFunction.ts"
import { PinnedContracts, type PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { observed } from "../../../values/Observed.ts"
import { Address, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { verify721 } from "../../shared/context/Shop.ts"
import { type FoundShop, findShop } from "../FindShop.ts"
import { Pricing, priced, ShopFlags, StoredTier, wasAdded } from "../Records.ts"
import { get721Shop } from "./Declaration.ts"
import { resolvedUris } from "./ResolvedUris.ts"

type Input = typeof get721Shop.input.Type

const UNITS = {
  price: "Prices are integers of the shop's pricing decimals, in its pricing currency.",
  discountDenominator: 200,
  splitDenominator: 1_000_000_000,
  supply: "Remaining supply still counts the tokens that pending reserves will take."
} as const

const METADATA_TRUST =
  "Base, contract and resolved URIs are untrusted text of the shop's owner; the service fetched none of them."

const SOURCES = ["JB721TiersHook", "JB721TiersHookStore", "JBController"]

const questions = (snapshot: PinnedSnapshot, input: Input, hook: Address) => {
  const { read, readAt } = snapshot
  const ofHook = <A, I>(name: FunctionTaking<"JB721TiersHook", []>, as: Schema.Schema<A, I>) =>
    readAt("JB721TiersHook", hook, name, [], as)
  const ofStore = <A, I>(name: FunctionTaking<"JB721TiersHookStore", [Address]>, as: Schema.Schema<A, I>) =>
    read("JB721TiersHookStore", name, [hook], as)
  const { categories = [], startingId, size } = input
  return {
    verified: verify721(snapshot, input.project.projectId, hook),
    pricing: ofHook("pricingContext", Pricing),
    flags: ofStore("flagsOf", ShopFlags),
    resolver: ofStore("tokenUriResolverOf", Address),
    baseUri: ofHook("baseURI", Schema.String),
    contractUri: ofHook("contractURI", Schema.String),
    /** One more than the page, to know where the next one begins. */
    tiers: read(
      "JB721TiersHookStore",
      "tiersOf",
      [hook, categories.map(String), false, startingId, String(size + 1)],
      Schema.Array(StoredTier)
    )
  }
}

const NO_MORE = "There are no further tiers."
const GO_ON = "Ask again with nextStartingId as startingId; the order is by category, not by id."
const BY_CATEGORY =
  "There are further tiers; page through one category at a time, because a starting id restarts every category."

/** The traversal begins anew with the starting id in each category, so that only one category can be paged through. */
const pageOf = ({ startingId, size, categories = [] }: Input, found: ReadonlyArray<StoredTier>) => {
  const next = found[size]
  const isPaged = categories.length < 2
  return {
    startingId,
    size,
    returned: Math.min(found.length, size),
    complete: next === undefined,
    nextStartingId: next === undefined || !isPaged ? null : next.id,
    instruction: next === undefined ? NO_MORE : isPaged ? GO_ON : BY_CATEGORY
  }
}

const resolvedOf = (snapshot: PinnedSnapshot, hook: Address, tiers: ReadonlyArray<StoredTier>) =>
  Effect.map(
    resolvedUris(
      snapshot,
      hook,
      tiers.map(({ id }) => id)
    ),
    uris => tiers.map((tier, index) => ({ ...priced(tier), resolvedUri: uris[index] ?? null }))
  )

/** With their URIs where they were asked for. */
const shownTiers = (
  snapshot: PinnedSnapshot,
  { size, includeResolvedUri }: Input,
  hook: Address,
  found: ReadonlyArray<StoredTier>
) => {
  const page = found.slice(0, size)
  return includeResolvedUri
    ? resolvedOf(snapshot, hook, page)
    : Effect.succeed(page.map(tier => ({ ...priced(tier), resolvedUri: null })))
}

const shopAnswer = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  { isRevnet, isActive }: FoundShop,
  hook: Address
) {
  const answers = yield* eachAtOnce(questions(snapshot, input, hook))
  const { store, metadataIdTarget } = yield* answers.verified
  const tiers = Either.map(answers.tiers, found => found.filter(wasAdded))
  return {
    project: input.project,
    isRevnet,
    activePayRuleset: isActive,
    shop: {
      hook,
      store,
      metadataIdTarget,
      pricing: yield* observed(answers.pricing),
      flags: yield* observed(answers.flags),
      baseUri: yield* observed(answers.baseUri),
      contractUri: yield* observed(answers.contractUri),
      tokenUriResolver: yield* observed(
        Either.map(answers.resolver, resolver => (resolver === ZERO_ADDRESS ? null : resolver))
      ),
      tiers: yield* observed(Effect.flatMap(tiers, found => shownTiers(snapshot, input, hook, found)))
    },
    pagination: yield* observed(Either.map(tiers, found => pageOf(input, found))),
    units: UNITS,
    metadataTrust: METADATA_TRUST,
    evidence: [snapshot.evidence],
    sources: SOURCES
  }
})

export const runGet721Shop = defineOperation(get721Shop, input =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(input.project.chainId)
    const found = yield* findShop(snapshot, input.project.projectId)
    const { isRevnet, isActive, hook } = found
    const none = { project: input.project, isRevnet, shop: null, evidence: [snapshot.evidence] }
    if (hook === null) return none
    const answer = shopAnswer(snapshot, input, found, hook)
    if (isActive) return yield* answer
    return yield* Effect.catchTag(answer, "UNSUPPORTED_721_HOOK", () => Effect.succeed(none))
  })
)
