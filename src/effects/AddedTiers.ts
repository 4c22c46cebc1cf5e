/** The tiers that a 721 hook says it added, against those that were planned. */
import { Either } from "effect"
import type { RawLog } from "../chain/ChainClient.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Emitter, EventFields } from "./Events.ts"
import { doubted, eventsAbout, type Verdict } from "./Judgement.ts"

interface Adding {
  readonly logs: ReadonlyArray<RawLog>
  readonly hook: Emitter
  readonly about: EventFields
  readonly tiers: ReadonlyArray<unknown>
  /** Where it is known before. */
  readonly firstId?: bigint
}

const event = "AddTier"

const sorted = (values: ReadonlyArray<unknown>) => values.map(canonicalJson).sort()

const isEach = (found: ReadonlyArray<unknown>, wanted: ReadonlyArray<unknown>): boolean => {
  const expected = sorted(wanted)
  return sorted(found).every((value, index) => value === expected[index])
}

/** The store counts ids up by one. */
const areConsecutive = (ids: ReadonlyArray<bigint>, firstId: bigint | undefined): boolean =>
  ids.every((id, index) => id === (firstId ?? ids[0] ?? 0n) + BigInt(index))

export const addedTiers = ({
  logs,
  hook,
  about,
  tiers,
  firstId
}: Adding): Verdict<ReadonlyArray<EventFields>> =>
  Either.flatMap(eventsAbout(logs, { emitter: hook, event, about }), added => {
    if (added.length !== tiers.length)
      return doubted(`${added.length} tiers were added instead of ${tiers.length}`)
    if (
      !isEach(
        added.map(({ tier }) => tier),
        tiers
      )
    )
      return doubted(`the ${event} event has another tier`)
    const ids = added.map(({ tierId }) => BigInt(String(tierId)))
    if (!areConsecutive(ids, firstId)) return doubted(`the ${event} event has another tierId`)
    return Either.right(ids.map(id => ({ event, tierId: String(id) })))
  })
