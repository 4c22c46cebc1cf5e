/** Finds the transactions that carry the admitted steps of a chain, each as its way of leaving tells. */
import { Effect } from "effect"
import type { Binding } from "../plans/Binding.ts"
import type { Observation } from "../plans/Observation.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import type { Admitted } from "./Observe.ts"
import { orNothing } from "./OrNothing.ts"
import { type AdmittedStanding, type Superseded, Transports } from "./Transport.ts"

export const admittedSteps = ({ id, facts, terms, now }: StoredPlan): ReadonlyArray<AdmittedStanding> =>
  facts.flatMap((stepFacts, step) => {
    const { account, summary } = terms
    const call = terms.calls[step]
    const { binding } = stepFacts
    return binding === undefined || call === undefined
      ? []
      : [{ planId: id, step, account, now, call, summary, facts: stepFacts, binding }]
  })

/** Of which no transaction is known. */
interface Unlocated extends AdmittedStanding {
  readonly observation: Observation
}

interface Located {
  readonly carried: ReadonlyArray<Admitted>
  readonly nowhere: ReadonlyArray<Unlocated>
}

const NOTHING: Located = { carried: [], nowhere: [] }

/** Those whose transport is not followed stay as they are. */
const unfollowed = (standing: AdmittedStanding): Unlocated => ({
  ...standing,
  observation: { _tag: "NoReceipt", known: false }
})

const unlocated = (standing: AdmittedStanding, found: Superseded | undefined): Unlocated => ({
  ...standing,
  observation: found === undefined ? { _tag: "Unseen" } : { _tag: "Superseded", ...found }
})

const locateOf = Effect.fnUntraced(function* (
  chainId: number,
  transport: Binding["transport"],
  steps: ReadonlyArray<AdmittedStanding>
) {
  const tracking = (yield* Transports)[transport]
  if (tracking === undefined) return { ...NOTHING, nowhere: steps.map(unfollowed) } satisfies Located
  const { locate, walletNonce, prove } = tracking
  const found = yield* locate(chainId, steps)
  const carried: Array<Admitted> = []
  const nowhere: Array<Unlocated> = []
  for (const [index, standing] of steps.entries()) {
    const hash = found[index]
    if (typeof hash === "string")
      carried.push({ ...standing, hash, walletNonce: walletNonce(standing.binding), prove })
    else nowhere.push(unlocated(standing, hash))
  }
  return { carried, nowhere } satisfies Located
})

/** What cannot be looked up now is in neither list. */
export const locateAll = Effect.fnUntraced(function* (
  chainId: number,
  steps: ReadonlyArray<AdmittedStanding>
) {
  const transports = [...new Set(steps.map(({ binding }) => binding.transport))]
  const located = yield* forEachAtOnce(transports, transport => {
    const own = steps.filter(({ binding }) => binding.transport === transport)
    return orNothing(locateOf(chainId, transport, own), NOTHING)
  })
  return {
    carried: located.flatMap(({ carried }) => carried),
    nowhere: located.flatMap(({ nowhere }) => nowhere)
  } satisfies Located
})
