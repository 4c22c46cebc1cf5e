/** Lists and shows sponsorships from storage alone. */
import { Effect } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { decodeListCursor, encodeListCursor } from "../plans/ListCursor.ts"
import { publicSponsorship } from "./PublicSponsorship.ts"
import { SponsorshipStore } from "./SponsorshipStore.ts"

export interface SponsorshipListQuery {
  readonly planId?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export const pageOfSponsorships = Effect.fn("ReadSponsorships.list")(function* ({
  planId,
  limit,
  cursor
}: SponsorshipListQuery) {
  const actor = yield* Principal
  const store = yield* SponsorshipStore
  const listed = { list: "sponsorships", filter: planId } as const
  const after = cursor === undefined ? undefined : yield* decodeListCursor(actor, listed, cursor)
  const { sponsorships, more } = yield* store.page(actor, { planId, limit, after })
  const last = sponsorships.at(-1)
  const nextCursor = more && last !== undefined ? yield* encodeListCursor(actor, listed, last) : null
  return { items: sponsorships.map(publicSponsorship), nextCursor }
})

export const sponsorshipOf = Effect.fn("ReadSponsorships.show")(function* (id: string) {
  const store = yield* SponsorshipStore
  return publicSponsorship(yield* store.find(id, yield* Principal))
})

/** What a key leads to is stored with it, and for good. */
export const storedSponsorship = Effect.fnUntraced(
  function* (actor: Actor, id: string, replayed: boolean) {
    const stored = yield* (yield* SponsorshipStore).find(id, actor)
    return { sponsorship: publicSponsorship(stored), replayed }
  },
  Effect.catchTag("SPONSORSHIP_NOT_FOUND", Effect.die)
)
