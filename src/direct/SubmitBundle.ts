/** Relays the steps of a plan one after another and stops at the first that cannot go; a repeat of the request goes on from there. */
import { createHash } from "node:crypto"
import { Effect, Either, Option } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { Idempotency, type RequestKey, requestKey } from "../auth/Idempotency.ts"
import { openBundle } from "../dispatch/Admission.ts"
import { answerStep, type Submitted } from "../dispatch/AnswerStep.ts"
import { findOwnPlan } from "../dispatch/OwnPlan.ts"
import { StepStateUncertain } from "../dispatch/refusals.ts"
import type { Dispatch, Plan } from "../plans/Plan.ts"
import { publicPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { type ProblemCode, ProblemRegister } from "../values/ProblemRegister.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { steadyMillis } from "../values/SteadyClock.ts"
import { type BundleItem, checkBundle, parseBundle } from "./Bundle.ts"
import { OutOfTime } from "./refusals.ts"
import { submitTransaction } from "./SubmitStep.ts"

/** Of the request's sixty seconds, what a slow body and its verification leave. */
const BUNDLE_MS = 40_000
/** An item that begins later would hardly end in time. */
const LAST_BEGIN_MS = 25_000
const OUTCOME_MS = 10_000

interface Bundle {
  readonly actor: Actor
  readonly key: RequestKey
  readonly planId: string
  readonly items: ReadonlyArray<BundleItem>
  readonly begunAt: number
}

interface Result {
  readonly stepIndex: number
  readonly dispatch: Dispatch
}

interface Stop {
  readonly stoppedAt: number
  readonly error: { readonly code: ProblemCode; readonly detail: string }
  readonly remainingStepIndices: ReadonlyArray<number>
}

export interface SubmittedBundle extends Partial<Stop> {
  readonly atomic: false
  readonly complete: boolean
  readonly results: ReadonlyArray<Result>
  readonly plan: Plan
}

const itemKey = (key: RequestKey, position: number): RequestKey => ({
  ...key,
  key: createHash("sha256").update(`${key.key}:${position}`).digest("hex")
})

const decided = ({ actor, planId }: Bundle, { body }: BundleItem, submitted: Submitted) =>
  Effect.iterate(submitted, {
    while: ({ isLeaving }) => isLeaving,
    body: ({ replayed }) => Effect.delay(answerStep(actor, planId, body.stepIndex, replayed), "100 millis")
  })

/** A twin of the request may be sending the item; what comes next on its chain waits for the outcome. */
const settled = (bundle: Bundle, item: BundleItem, submitted: Submitted) =>
  decided(bundle, item, submitted).pipe(
    Effect.timeout(OUTCOME_MS),
    Effect.orElseSucceed(() => submitted)
  )

/** What refuses a request may be that its twin was faster; then the outcome is stored under the same key. */
const unlessStored = <A, E, R>(key: RequestKey, work: Effect.Effect<A, E, R>) =>
  Effect.catchAll(work, failure =>
    Effect.flatMap(Idempotency, idempotency => Effect.option(idempotency.find(key))).pipe(
      Effect.map(Option.flatten),
      Effect.flatMap(stored => (Option.isSome(stored) ? work : Effect.fail(failure)))
    )
  )

/** Nothing leaves while its claim lives, nor ever again under a key that tells what became of it, so the bundle can go no further than an item that its node does not show. */
const lossOf = ({ dispatch, isLeaving, isLost, replayed }: Submitted): StepStateUncertain | undefined => {
  const { retryAfterMs = 0, status } = dispatch
  const waits = status === "in-flight" && !isLeaving
  if (!waits && !(replayed && isLost)) return undefined
  const seconds = Math.ceil(retryAfterMs / 1_000)
  const when = waits ? `in ${seconds} seconds, under a new idempotency key` : "under a new idempotency key"
  return new StepStateUncertain({
    detail: `The node does not show this step's transaction in a block, or cannot be asked; the same bytes can be sent again ${when}.`
  })
}

const submitItem = Effect.fn("SubmitBundle.item")(function* (bundle: Bundle, item: BundleItem) {
  const { actor, planId, key } = bundle
  const left = BUNDLE_MS - (steadyMillis(yield* Effect.clock) - bundle.begunAt)
  if (left < BUNDLE_MS - LAST_BEGIN_MS) return yield* new OutOfTime()
  const own = itemKey(key, item.position)
  const submitting = unlessStored(
    own,
    submitTransaction({
      ...{ actor, key: own, planId, step: item.body.stepIndex },
      ...{ transaction: item.transaction, ownerApproval: item.body.ownerApproval }
    })
  )
  return yield* Effect.flatMap(submitting, submitted => settled(bundle, item, submitted)).pipe(
    Effect.disconnect,
    Effect.timeoutFail({ duration: left, onTimeout: () => new OutOfTime() })
  )
})

const stopAt = ({ items }: Bundle, position: number, refusal: AnyRefusal): Stop => ({
  stoppedAt: position,
  error: { code: refusal._tag, detail: refusal.detail ?? ProblemRegister[refusal._tag].sentence },
  remainingStepIndices: items.slice(position).map(({ body }) => body.stepIndex)
})

interface Progress {
  readonly done: ReadonlyArray<Submitted>
  readonly stop: Stop | undefined
  /** As the last item was seen to leave it; read anew where none was seen. */
  readonly seen: Plan | undefined
}

const inOrder = Effect.fnUntraced(function* (bundle: Bundle) {
  const done: Array<Submitted> = []
  for (const item of bundle.items) {
    const outcome = yield* Effect.either(submitItem(bundle, item))
    const refusal = Either.isLeft(outcome) ? outcome.left : lossOf(outcome.right)
    if (refusal !== undefined) {
      const seen = Either.isLeft(outcome) ? undefined : outcome.right.plan
      const stopped: Progress = { done, stop: stopAt(bundle, item.position, refusal), seen }
      return stopped
    }
    if (Either.isRight(outcome)) done.push(outcome.right)
  }
  const whole: Progress = { done, stop: undefined, seen: done.at(-1)?.plan }
  return whole
})

/** The key names this request from here on, whatever becomes of its items. */
const opened = Effect.fnUntraced(function* (bundle: Bundle) {
  const { actor, key, planId, items } = bundle
  const { plan, outcome } = yield* findOwnPlan(actor, planId, key)
  if (Option.isNone(outcome)) {
    yield* checkBundle(plan, items)
    yield* openBundle({ actor, key, planId })
  }
  return publicPlan(plan)
})

/** Why it stopped shows in the plan as it is now, where it can still be read. */
const planAfter = ({ actor, planId }: Bundle, { done, seen }: Progress, before: Plan) => {
  if (seen !== undefined) return Effect.succeed(seen)
  const read = Effect.flatMap(PlanStore, plans => plans.find(planId, actor))
  return Effect.orElseSucceed(Effect.map(read, publicPlan), () => done.at(-1)?.plan ?? before)
}

export const submitBundle = Effect.fn("SubmitBundle.submit")(function* (
  planId: string,
  submissions: unknown
) {
  const actor = yield* Principal
  const key = yield* requestKey
  const begunAt = steadyMillis(yield* Effect.clock)
  const items = yield* parseBundle(actor, submissions)
  const bundle: Bundle = { actor, key, planId, items, begunAt }
  const before = yield* opened(bundle)
  const progress = yield* inOrder(bundle)
  const { done, stop } = progress
  const plan = yield* planAfter(bundle, progress, before)
  const results = done.map(({ dispatch, isLeaving }, position) => {
    const stepIndex = items[position]?.body.stepIndex ?? position
    const later = isLeaving ? plan.steps[stepIndex]?.dispatch : undefined
    return { stepIndex, dispatch: later ?? dispatch }
  })
  const answer: SubmittedBundle = { atomic: false, complete: stop === undefined, results, plan, ...stop }
  return { answer, replayed: stop === undefined && done.every(({ replayed }) => replayed) }
})
