/** What is kept of what a predicate says: text that no database keeps, and more than is kept, stand by what they are. */
import { Either, Schema } from "effect"
import { sha256 } from "../catalog/Abi.ts"
import { Semantic } from "../plans/Plan.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { fits } from "../values/Conforms.ts"
import { hasHalfCharacter, hasNul } from "../values/JsonEscapes.ts"
import type { EventFields } from "./Events.ts"
import type { Verdict } from "./Judgement.ts"

const MAXIMUM_PROOF_BYTES = 8 * 1024

export interface ToldEffects {
  readonly events: ReadonlyArray<EventFields>
  /** What proves the effect without an event. */
  readonly reason?: string
}

/** Why no database keeps a text of JSON, and so nothing of the step that has it; of one thing or of several. */
const unkept = (text: string, [is, holds]: readonly [string, string]): string | undefined => {
  if (text.length > MAXIMUM_PROOF_BYTES) return `${is} larger than what is kept`
  if (hasNul(text)) return `${holds} a NUL, which is not kept`
  return hasHalfCharacter(text) ? `${holds} half a character, which is not kept` : undefined
}

const reasonOf = (reason: string): string => {
  const why = unkept(JSON.stringify(reason), ["is", "holds"])
  return why === undefined ? reason : `the reason ${why}`
}

/** Integers as they are written in JSON here. */
const asJson = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

const provedBy = (verifier: string, { events, reason }: ToldEffects): Semantic => {
  const text = canonicalJson(events)
  const why = unkept(text, ["are", "hold"])
  if (why === undefined)
    return {
      status: "verified",
      verifier,
      events: JSON.parse(JSON.stringify(events, asJson)),
      ...(reason === undefined ? {} : { reason: reasonOf(reason) })
    }
  return {
    status: "unknown",
    verifier,
    events: [{ count: String(events.length), sha256: sha256(text) }],
    reason: `the events that prove the effect ${why}`
  }
}

/** What a predicate says in another form than that of its type. */
class NoVerdict extends Error {
  override readonly name = "NoVerdict"
}

const isSemantic = fits(Schema.typeSchema(Semantic))

export const semanticOf = (verifier: string, proof: Verdict<ToldEffects>): Semantic => {
  const semantic = Either.match(proof, {
    onLeft: ({ status, reason }) => ({ status, verifier, reason: reasonOf(reason) }),
    onRight: told => provedBy(verifier, told)
  })
  if (isSemantic(semantic)) return semantic
  throw new NoVerdict(`${verifier} gives no verdict`)
}
