/** Cursors of the plan list: opaque, authenticated, and good only for the query that they were given for. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Effect, Option, Redacted, Schema } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import { Settings } from "../settings/Settings.ts"
import { InvalidCursor } from "./refusals.ts"

const Position = Schema.parseJson(Schema.Tuple(Schema.Number, Schema.String))

export interface Position {
  readonly createdAt: number
  readonly id: string
}

const tagOf = (secret: string, payload: string, actor: Actor, wallet: string | undefined): Buffer =>
  createHmac("sha256", secret)
    .update(JSON.stringify(["plans", actor.accountId, actor.id, wallet ?? null, payload]))
    .digest()

const secretOf = Effect.map(Settings, ({ reviewSecret }) => Redacted.value(reviewSecret))

export const encodeCursor = (actor: Actor, wallet: string | undefined, { createdAt, id }: Position) =>
  Effect.map(secretOf, secret => {
    const payload = Buffer.from(JSON.stringify([createdAt, id])).toString("base64url")
    return `${payload}.${tagOf(secret, payload, actor, wallet).toString("base64url")}`
  })

const refused = new InvalidCursor({
  context: { parameter: "cursor", expected: "the nextCursor of a page of this same query" }
})

const isAuthentic = (given: Buffer, proper: Buffer) =>
  given.length === proper.length && timingSafeEqual(given, proper)

export const decodeCursor = Effect.fnUntraced(function* (
  actor: Actor,
  wallet: string | undefined,
  cursor: string
) {
  const [payload = "", tag = ""] = cursor.split(".")
  const proper = tagOf(yield* secretOf, payload, actor, wallet)
  if (!isAuthentic(Buffer.from(tag, "base64url"), proper)) return yield* refused
  const position = Schema.decodeOption(Position)(Buffer.from(payload, "base64url").toString())
  if (Option.isNone(position)) return yield* refused
  const [createdAt, id] = position.value
  return { createdAt, id }
})
