/** Reconciles a plan with its chains; it never sends and never claims, and what it cannot read stays as it was. */
import { Array, Effect, Option } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { relaying } from "../chain/Work.ts"
import { isFinalBlock } from "../plans/FinalBlock.ts"
import { next, type Observation } from "../plans/Observation.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore, type Reconciled } from "../plans/PlanStore.ts"
import { ConcurrentUpdate } from "../plans/refusals.ts"
import { isDead, mayBeExecuted, type StepFacts } from "../plans/Step.ts"
import { inPlanTraceNow } from "../telemetry/PlanTrace.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { failpoint } from "../values/Failpoint.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import { believed, isLetGo, LOOKS_APART_MS, type Look, sightsAfter } from "./LetGo.ts"
import { admittedSteps, locateAll } from "./Locate.ts"
import { type Admitted, observe } from "./Observe.ts"
import { orNothing } from "./OrNothing.ts"
import { seenHere } from "./SeenHere.ts"
import type { AdmittedStanding } from "./Transport.ts"
import { countExecutions } from "./TransportMetrics.ts"

const ATTEMPTS = 3
const PENDING_SWEEP_MS = 2_000
const SETTLED_SWEEP_MS = 30_000

const observeChain = Effect.fnUntraced(function* (chainId: number, steps: ReadonlyArray<Admitted>) {
  const { confirmations } = yield* (yield* ChainClient).chain(chainId)
  return yield* observe(chainId, steps, confirmations)
})

const placeOf = ({ planId, step }: Pick<AdmittedStanding, "planId" | "step">): string => `${planId}/${step}`

const seenOn = Effect.fnUntraced(function* (chainId: number, steps: ReadonlyArray<AdmittedStanding>) {
  const { carried, nowhere } = yield* locateAll(chainId, steps)
  const found = carried.length === 0 ? [] : yield* observeChain(chainId, carried)
  const seen = carried.flatMap((admitted, index) => {
    const observation = found[index]
    return observation === undefined ? [] : [[placeOf(admitted), observation] as const]
  })
  return [...seen, ...nowhere.map(standing => [placeOf(standing), standing.observation] as const)]
})

/** One step's answer that cannot be read, or is too large beside others', hides theirs no longer than it takes to part them. */
const seenInParts = (chainId: number, steps: ReadonlyArray<AdmittedStanding>): ReturnType<typeof seenOn> =>
  Effect.catchTag(seenOn(chainId, steps), "RPC_INVALID_RESPONSE", (failure): ReturnType<typeof seenOn> => {
    const middle = Math.ceil(steps.length / 2)
    const parts = [steps.slice(0, middle), steps.slice(middle)]
    const seen = (part: ReadonlyArray<AdmittedStanding>) => orNothing(seenInParts(chainId, part), [])
    return steps.length < 2 ? failure : Effect.map(Effect.forEach(parts, seen), found => found.flat())
  })

const unserved = (standing: AdmittedStanding): readonly [string, Observation] => [
  placeOf(standing),
  { _tag: "Unserved" }
]

/** What each chain tells of the plans' admitted steps, by their places; nothing of those that could not be read. */
const observations = Effect.fnUntraced(function* (plans: ReadonlyArray<StoredPlan>, see: typeof seenOn) {
  yield* failpoint("refresh.loaded")
  const steps = plans.flatMap(admittedSteps)
  const chainIds = [...new Set(steps.map(({ call }) => call.chainId))]
  const chains = yield* ChainClient
  const perChain = yield* forEachAtOnce(chainIds, chainId => {
    const own = steps.filter(({ call }) => call.chainId === chainId)
    return Effect.matchEffect(chains.chain(chainId), {
      onFailure: () => Effect.succeed(own.map(unserved)),
      onSuccess: () => orNothing(see(chainId, own), [])
    })
  })
  yield* failpoint("refresh.observed")
  return new Map(perChain.flat())
})

/** Whatever its effects are: the logs that they are judged by change no more. */
const isFinal = (facts: StepFacts): boolean => {
  const { observed, receipt } = facts
  if (receipt === undefined || (observed !== "confirmed" && observed !== "reverted")) return false
  return !mayBeExecuted(facts) && isFinalBlock(receipt)
}

/** As they are told apart: neither the time of a look is news, nor how many blocks a final one has above it. */
const comparable = (facts: ReadonlyArray<StepFacts>, before: ReadonlyArray<StepFacts>): string =>
  canonicalJson(
    facts.map(({ receipt, observed, semantic, revert, proof }, step) => {
      const known = before[step]
      const ageless = known !== undefined && isFinal(known) ? { confirmations: 0 } : {}
      return {
        observed,
        semantic,
        revert,
        proof,
        receipt: receipt && { ...receipt, ...ageless, observedAt: 0 }
      }
    })
  )

const isOpen = (facts: StepFacts): boolean => facts.binding !== undefined && !isFinal(facts) && !isDead(facts)

const nextSweep = (open: ReadonlyArray<StepFacts>): number | null => {
  if (open.length === 0) return null
  return open.every(({ observed }) => observed === "confirmed" || observed === "reverted")
    ? SETTLED_SWEEP_MS
    : PENDING_SWEEP_MS
}

const unreadable: Observation = { _tag: "Unreadable" }

/** Who looks: what a step is believed to be over by, recovery's looks alone tell. */
type Looker = "recovery" | "anybody"

const reconciledWith =
  (found: ReadonlyMap<string, Observation>, looker: Looker) =>
  (plan: StoredPlan): Reconciled => {
    const looked = plan.facts.map((facts, step) => {
      const seen = found.get(placeOf({ planId: plan.id, step })) ?? unreadable
      const look: Look = { plan, facts, seen, isRecovery: looker === "recovery" }
      const after = next(facts, believed(look))
      return { look, after: { ...after, sights: sightsAfter(look, after) } }
    })
    const open = looked.filter(({ look, after }) => isOpen(after) && !isLetGo(look))
    return {
      plan,
      facts: looked.map(({ after }) => after),
      sweepInMs: nextSweep(open.map(({ after }) => after))
    }
  }

const isNews = ({ plan, facts, sweepInMs }: Reconciled): boolean =>
  comparable(facts, plan.facts) !== comparable(plan.facts, plan.facts) ||
  plan.watched !== (sweepInMs !== null)

const hasSights = ({ plan, facts }: Reconciled): boolean =>
  facts.some(({ sights }, step) => sights?.at !== plan.facts[step]?.sights?.at)

interface Settled {
  /** What was stored. */
  readonly changes: ReadonlyArray<Reconciled>
  /** The plans that changed while they were looked at, of which nothing was stored. */
  readonly overtaken: ReadonlyArray<string>
}

/** What was stored, to operators: counted, and in the plan's trace. */
const tell = ({ plan, facts, sweepInMs }: Reconciled) =>
  Effect.zipRight(
    countExecutions(plan.facts, facts),
    inPlanTraceNow(plan.id, "state", {
      states: facts.map(({ observed }) => observed ?? "unobserved").join(","),
      isFinal: sweepInMs === null
    })
  )

const settle = Effect.fnUntraced(function* (
  plans: ReadonlyArray<StoredPlan>,
  found: ReadonlyMap<string, Observation>,
  looker: Looker
) {
  const [same, changes] = Array.partition(plans.map(reconciledWith(found, looker)), isNews)
  const sighted = same.filter(hasSights).map(each => ({ ...each, sweepInMs: LOOKS_APART_MS }))
  if (sighted.length > 0) yield* (yield* PlanStore).saveSights(sighted)
  if (changes.length === 0) return { changes, overtaken: [] } satisfies Settled
  const stored = yield* (yield* PlanStore).saveAll(changes)
  yield* failpoint("refresh.stored")
  const [overtaken, settled] = Array.partition(changes, ({ plan }) => stored.has(plan.id))
  yield* Effect.forEach(settled, tell, { discard: true })
  return { changes: settled, overtaken: overtaken.map(({ plan }) => plan.id) } satisfies Settled
})

const withChange = ({ plan, facts, sweepInMs }: Reconciled): StoredPlan => ({
  ...plan,
  facts,
  revision: plan.revision + 1,
  watched: sweepInMs !== null
})

/** The plan as it then is, unless it changed meanwhile. */
const reconcileOnce = Effect.fnUntraced(function* (plan: StoredPlan, looker: Looker) {
  const found = yield* observations([plan], seenInParts)
  const { changes, overtaken } = yield* settle([plan], found, looker)
  const [change] = changes
  if (overtaken.length > 0) return Option.none()
  return Option.some(change === undefined ? plan : withChange(change))
})

/** The plan as it then is; it is loaded anew only where it changed while it was looked at. */
export const refreshPlan = Effect.fn("Reconcile.refresh")(function* (
  loaded: StoredPlan,
  looker: Looker = "anybody"
) {
  const plans = yield* PlanStore
  let plan = loaded
  for (let attempt = 1; ; attempt++) {
    const refreshed = yield* reconcileOnce(plan, looker)
    if (Option.isSome(refreshed)) return yield* seenHere(refreshed.value)
    if (attempt === ATTEMPTS) return yield* new ConcurrentUpdate()
    plan = yield* plans.load(plan.id)
  }
}, relaying)

export const refresh = (planId: string, looker?: Looker) =>
  Effect.flatMap(PlanStore, plans => Effect.flatMap(plans.load(planId), plan => refreshPlan(plan, looker)))

/** Reconciles plans with the round trips of one; gives those that want to be looked at alone, for an answer that could not be read or a change meanwhile. */
export const refreshTogether = Effect.fn("Reconcile.together")(function* (
  planIds: ReadonlyArray<string>,
  looker: Looker = "anybody"
) {
  const plans = yield* (yield* PlanStore).loadAll(planIds)
  const found = yield* observations(plans, seenOn)
  const isRead = (plan: StoredPlan) => admittedSteps(plan).every(standing => found.has(placeOf(standing)))
  const [unread, read] = Array.partition(plans, isRead)
  const { overtaken } = yield* settle(read, found, looker)
  return [...unread.map(({ id }) => id), ...overtaken]
})
