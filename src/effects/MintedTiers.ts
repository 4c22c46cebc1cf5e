/** The tokens of tiers that a payment's metadata asks a shop for, as the hook that the plan proved says. */
import { Either, Option, Schema } from "effect"
import { TIERS_HOOK } from "../catalog/CloneFamilies.ts"
import { decodeValues } from "../protocol/AbiValues.ts"
import { Address, ZERO_ADDRESS } from "../values/Scalars.ts"
import type { Emitter, EventFields } from "./Events.ts"
import { doubted, eventsAbout, exactlyOne, is, none, type Verdict } from "./Judgement.ts"
import { metadataEntry } from "./MetadataEntry.ts"
import type { EffectProof, Scene } from "./Predicate.ts"

const VALUE = [
  { name: "allowOverspending", type: "bool" },
  { name: "tierIds", type: "uint16[]" }
]
/** The flag, the offset of the list and its length, which is the last word of them. */
const HEAD = 3

const value = Schema.decodeUnknownEither(Schema.Tuple(Schema.Boolean, Schema.Array(Schema.String)))

interface Paid {
  readonly projectId: string
  readonly metadata: string
  readonly beneficiary: string
}

type Paying = Scene<Paid>

/** The tiers that the metadata asks hooks of this implementation for. */
const askedOf = (metadata: string, implementation: Address): Verdict<ReadonlyArray<string>> => {
  const head = metadataEntry(metadata, "pay", implementation, HEAD)
  if (head === undefined) return Either.right([])
  const length = BigInt(`0x${head.slice(-64)}`)
  const most = BigInt(metadata.length)
  const entry = metadataEntry(metadata, "pay", implementation, HEAD + Number(length > most ? most : length))
  const asked = Either.flatMap(decodeValues(VALUE, entry ?? "0x"), value)
  return Either.isLeft(asked)
    ? doubted("the metadata's entry for the 721 hook cannot be read")
    : Either.right(asked.right[1])
}

/** The hook that a plan of a payment for tiers is about, or that of any other payment's route. */
const Kept = Schema.Union(
  Schema.Struct({ hook: Address }),
  Schema.Struct({ routeEvidence: Schema.Struct({ shop: Address }) })
)

const kept = Schema.decodeUnknownOption(Kept)

/** All clones have the interface of what they are clones of. */
const hookOf = ({ summary }: Paying, { abi }: Emitter): Verdict<Emitter> =>
  Option.match(kept(summary), {
    onNone: () => doubted("the plan keeps no proved 721 hook"),
    onSome: found => Either.right({ address: "hook" in found ? found.hook : found.routeEvidence.shop, abi })
  })

const TOKENS_PER_TIER = 1_000_000_000n

const isOfTier = ({ tokenId, tierId }: EventFields): boolean =>
  BigInt(String(tokenId)) / TOKENS_PER_TIER === BigInt(String(tierId))

const sorted = (ids: ReadonlyArray<unknown>): string => ids.map(String).sort().join(" ")

const minted = (
  { args: { beneficiary }, logs, target }: Paying,
  hook: Emitter,
  tierIds: ReadonlyArray<string>
): EffectProof => {
  const event = "Mint"
  const about = { beneficiary, caller: target.address }
  return Either.flatMap(eventsAbout(logs, { emitter: hook, event, about }), mints => {
    if (mints.length !== tierIds.length)
      return doubted(`${mints.length} tokens were minted instead of ${tierIds.length}`)
    if (new Set(mints.map(({ tokenId }) => tokenId)).size !== mints.length)
      return doubted("a token was minted twice")
    if (sorted(mints.map(({ tierId }) => tierId)) !== sorted(tierIds))
      return doubted(`the ${event} event has another tierId`)
    return mints.every(isOfTier)
      ? Either.right(mints.map(({ tokenId, tierId }) => ({ event, tokenId, tierId })))
      : doubted(`the ${event} event has another tokenId`)
  })
}

const handedOver = ({ args: { beneficiary }, logs }: Paying, emitter: Emitter, { tokenId }: EventFields) =>
  exactlyOne(logs, {
    emitter,
    event: "Transfer",
    about: { from: ZERO_ADDRESS, tokenId },
    says: { to: is(beneficiary) },
    shows: ["tokenId"]
  })

/** The hook gives back to the project what the splits of a tier left or could not take, often without another word. */
const splitsPaid = ({ args: { projectId }, logs, target }: Paying, hook: Emitter): Verdict<void> => {
  const failed = { emitter: hook, event: "SplitPayoutReverted", about: {} }
  const returned = { emitter: target, event: "AddToBalance", about: { projectId, caller: hook.address } }
  return Either.andThen(
    none(logs, failed, "a payout to a split of a tier failed"),
    none(logs, returned, "a part for splits of a tier came back to the project")
  )
}

/** Nothing where no tiers are asked for. */
export const mintedTiers = (scene: Paying): EffectProof =>
  Either.gen(function* () {
    const { args, published } = scene
    const shops = published(TIERS_HOOK)
    const asked = yield* Either.all(shops.map(({ address }) => askedOf(args.metadata, address)))
    const tierIds = asked.flat()
    const [implementation] = shops
    if (tierIds.length === 0 || implementation === undefined) return []
    const hook = yield* hookOf(scene, implementation)
    yield* splitsPaid(scene, hook)
    const mints = yield* minted(scene, hook, tierIds)
    yield* Either.all(mints.map(mint => handedOver(scene, hook, mint)))
    return mints
  })
