/** The items of a bundle, each parsed before any of them is dispatched. */
import { Effect, Either, Option, type ParseResult, Schema } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import { requirePresence } from "../auth/OwnerApproval.ts"
import { StepIndex } from "../plans/Plan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { misfitOf } from "../values/Expectation.ts"
import { ProblemRegister } from "../values/ProblemRegister.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { strict } from "../values/Strict.ts"
import { faultOfBounds } from "./Bounds.ts"
import { direct } from "./Direct.ts"
import { InvalidBundle } from "./refusals.ts"
import type { SignedTransaction } from "./SignedTransaction.ts"
import { matchedCall } from "./Submission.ts"

const MAXIMUM_ITEMS = 32

const Item = strict({
  stepIndex: StepIndex,
  rawSignedTransaction: Schema.String,
  ownerApproval: Schema.optionalWith(Schema.Unknown, { exact: true })
})

export interface BundleItem {
  readonly position: number
  readonly body: typeof Item.Type
  readonly transaction: SignedTransaction
}

const decodeItem = Schema.decodeUnknownEither(Item)

const misshapen = (item: number, error: ParseResult.ParseError): InvalidBundle => {
  const { path: parts, expected } = misfitOf(error)
  const path = parts.map(String).join(".")
  return new InvalidBundle({
    detail: `Item ${item} is not well-formed: ${path} ${expected}`,
    context: { item, path, expected }
  })
}

/** Says of which item a refusal is, and keeps what it says. */
const refusedItem = (item: number, stepIndex: number) => (refusal: AnyRefusal) =>
  new InvalidBundle({
    detail: `Item ${item}: ${refusal.detail ?? ProblemRegister[refusal._tag].sentence}`,
    context: { item, stepIndex, code: refusal._tag, ...refusal.context }
  })

const listed = (submissions: unknown): Either.Either<ReadonlyArray<unknown>, InvalidBundle> => {
  const items: ReadonlyArray<unknown> = Array.isArray(submissions) ? submissions : []
  return items.length > 0 && items.length <= MAXIMUM_ITEMS
    ? Either.right(items)
    : Either.left(new InvalidBundle({ context: { items: items.length, minimum: 1, maximum: MAXIMUM_ITEMS } }))
}

const shaped = (submissions: unknown) =>
  Either.flatMap(listed(submissions), items =>
    Either.all(
      items.map((item, position) => Either.mapLeft(decodeItem(item), error => misshapen(position, error)))
    )
  )

const refuseRepeated = (bodies: ReadonlyArray<typeof Item.Type>) => {
  const steps = bodies.map(({ stepIndex }) => stepIndex)
  const item = steps.findIndex((step, position) => steps.indexOf(step) < position)
  return item < 0
    ? Effect.void
    : new InvalidBundle({
        detail: `Item ${item} repeats step ${steps[item]}.`,
        context: { item, stepIndex: steps[item], expected: "a step that no earlier item names" }
      })
}

const parsed = Effect.fnUntraced(function* (actor: Actor, body: typeof Item.Type, position: number) {
  const { ownerApproval, rawSignedTransaction } = body
  if (ownerApproval !== undefined) yield* requirePresence(actor, ownerApproval)
  const item: BundleItem = { position, body, transaction: yield* direct.parse(rawSignedTransaction) }
  return item
})

/** Everything that can be said of the items by themselves; an approval that is absent may turn out not to be needed. */
export const parseBundle = Effect.fn("Bundle.parse")(function* (actor: Actor, submissions: unknown) {
  const bodies = yield* shaped(submissions)
  yield* refuseRepeated(bodies)
  return yield* Effect.forEach(bodies, (body, position) =>
    Effect.mapError(parsed(actor, body, position), refusedItem(position, body.stepIndex))
  )
})

const checkItem = Effect.fnUntraced(function* (
  plan: StoredPlan,
  { position, body: { stepIndex }, transaction }: BundleItem
) {
  const refused = refusedItem(position, stepIndex)
  yield* Effect.mapError(matchedCall(plan, stepIndex, transaction), refused)
  const fault = yield* Effect.option(faultOfBounds(plan, stepIndex, transaction))
  if (Option.isSome(fault) && fault.value !== undefined) return yield* refused(fault.value)
})

/** Each transaction is exactly the call that its item names, and may leave by the operator's bounds; where its chain tells nothing, the bundle stops at it. */
export const checkBundle = Effect.fn("Bundle.check")((plan: StoredPlan, items: ReadonlyArray<BundleItem>) =>
  Effect.forEach(items, item => checkItem(plan, item), { discard: true })
)
