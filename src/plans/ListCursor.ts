/** Cursors of the lists of plans and of what comes of them: opaque, authenticated, and good only for the query that they were given for. */
import { Effect, Option, Schema } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import { CURSOR_ENDED, CursorSigner } from "../settings/CursorSigner.ts"
import { InvalidPlanCursor } from "./refusals.ts"

const Position = Schema.parseJson(Schema.Tuple(Schema.Number, Schema.String))

interface ListPosition {
  readonly createdAt: number
  readonly id: string
}

/** What is listed, and by what it is filtered. */
interface Listed {
  readonly list: "plans" | "sponsorships" | "user-operations" | "bindings" | "sessions"
  readonly filter: string | undefined
}

const signedText = (payload: string, actor: Actor, { list, filter }: Listed): string =>
  JSON.stringify([list, actor.accountId, actor.id, filter ?? null, payload])

export const encodeListCursor = (actor: Actor, listed: Listed, { createdAt, id }: ListPosition) =>
  Effect.map(CursorSigner, ({ sign }) => {
    const payload = Buffer.from(JSON.stringify([createdAt, id])).toString("base64url")
    const signature = Buffer.from(sign(signedText(payload, actor, listed)))
    return `${payload}.${signature.toString("base64url")}`
  })

const refused = new InvalidPlanCursor({
  context: { parameter: "cursor", expected: "the nextCursor of a page of this same query" }
})

const ended = new InvalidPlanCursor({
  detail: CURSOR_ENDED,
  context: { parameter: "cursor", expected: "no cursor, for the first page" }
})

export const decodeListCursor = Effect.fnUntraced(function* (actor: Actor, listed: Listed, cursor: string) {
  const [payload = "", tag = ""] = cursor.split(".")
  const signer = yield* CursorSigner
  const signature = Buffer.from(tag, "base64url")
  if (!signer.isSigned(signedText(payload, actor, listed), signature))
    return yield* signer.hasEnded?.(signature) === true ? ended : refused
  const position = Schema.decodeOption(Position)(Buffer.from(payload, "base64url").toString())
  if (Option.isNone(position)) return yield* refused
  const [createdAt, id] = position.value
  return { createdAt, id }
})
