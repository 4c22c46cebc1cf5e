/** Reconciles a plan with its chains; it never sends and never claims, and what it cannot read stays as it was. */
import { Effect, Option } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { next, type Observation } from "../plans/Observation.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { ConcurrentUpdate } from "../plans/refusals.ts"
import type { StepFacts } from "../plans/Step.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { failpoint } from "../values/Failpoint.ts"
import { type Admitted, observe } from "./Observe.ts"

const ATTEMPTS = 3
const PENDING_SWEEP_MS = 2_000
const SETTLED_SWEEP_MS = 30_000
/** Where a node serves no finality tags, this many confirmations end the watch. */
const FINAL_CONFIRMATIONS = 256

const admittedSteps = (plan: StoredPlan): ReadonlyArray<Admitted> =>
  plan.facts.flatMap((facts, step) => {
    const call = plan.terms.calls[step]
    return facts.binding === undefined || call === undefined
      ? []
      : [{ step, call, facts, hash: facts.binding.hash }]
  })

const unreadable: Observation = { _tag: "Unreadable" }

const observeChain = Effect.fnUntraced(function* (
  plan: StoredPlan,
  chainId: number,
  steps: ReadonlyArray<Admitted>
) {
  const { confirmations } = yield* (yield* ChainClient).chain(chainId)
  const observations = yield* observe(chainId, steps, {
    account: plan.terms.account,
    confirmations,
    now: plan.now
  })
  return steps.map(({ step }, index) => [step, observations[index] ?? unreadable] as const)
})

const observations = Effect.fnUntraced(function* (plan: StoredPlan) {
  const steps = admittedSteps(plan)
  const chainIds = [...new Set(steps.map(({ call }) => call.chainId))]
  const perChain = yield* Effect.forEach(
    chainIds,
    chainId => {
      const own = steps.filter(({ call }) => call.chainId === chainId)
      return Effect.orElseSucceed(observeChain(plan, chainId, own), () =>
        own.map(({ step }) => [step, unreadable] as const)
      )
    },
    { concurrency: "unbounded" }
  )
  return new Map(perChain.flat())
})

const withoutTime = (facts: ReadonlyArray<StepFacts>): string =>
  canonicalJson(
    facts.map(({ receipt, observed, semantic }) => ({
      observed,
      semantic,
      receipt: receipt && { ...receipt, observedAt: 0 }
    }))
  )

/** Whatever its effects are: the logs that they are judged by change no more. */
const isFinal = ({ observed, receipt }: StepFacts): boolean => {
  if (receipt === undefined || (observed !== "confirmed" && observed !== "reverted")) return false
  if (receipt.finality === "finalized") return true
  return receipt.finality === "unknown" && receipt.confirmations >= FINAL_CONFIRMATIONS
}

const nextSweep = (facts: ReadonlyArray<StepFacts>): number | null => {
  const admitted = facts.filter(({ binding }) => binding !== undefined)
  if (admitted.every(isFinal)) return null
  return admitted.every(({ observed }) => observed === "confirmed" || observed === "reverted")
    ? SETTLED_SWEEP_MS
    : PENDING_SWEEP_MS
}

/** Stores what was found where anything was; none when the record changed meanwhile. */
const reconcileOnce = Effect.fnUntraced(function* (planId: string) {
  const plans = yield* PlanStore
  const plan = yield* plans.load(planId)
  yield* failpoint("refresh.loaded")
  const found = yield* observations(plan)
  yield* failpoint("refresh.observed")
  const facts = plan.facts.map((stepFacts, step) =>
    next(stepFacts, found.get(step) ?? { _tag: "NoReceipt", known: false })
  )
  const sweepInMs = nextSweep(facts)
  const isSame = withoutTime(facts) === withoutTime(plan.facts) && plan.watched === (sweepInMs !== null)
  if (isSame) return Option.some(undefined)
  const isStored = yield* plans.save(plan, { facts, sweepInMs })
  yield* failpoint("refresh.stored")
  return isStored ? Option.some(undefined) : Option.none()
})

export const refresh = Effect.fn("Reconcile.refresh")(function* (planId: string) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (Option.isSome(yield* reconcileOnce(planId))) return
  }
  return yield* new ConcurrentUpdate()
})
