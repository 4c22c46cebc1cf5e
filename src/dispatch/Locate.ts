/** Finds the transactions that carry the admitted steps of a chain, each as its way of leaving tells. */
import { Effect } from "effect"
import type { Binding } from "../plans/Binding.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import type { Admitted } from "./Observe.ts"
import { Transports } from "./Transport.ts"

export type AdmittedStanding = Omit<Admitted, "hash" | "walletNonce" | "prove">

export const admittedSteps = ({ id, facts, terms, now }: StoredPlan): ReadonlyArray<AdmittedStanding> =>
  facts.flatMap((stepFacts, step) => {
    const { account, summary } = terms
    const call = terms.calls[step]
    const { binding } = stepFacts
    return binding === undefined || call === undefined
      ? []
      : [{ planId: id, step, account, now, call, summary, facts: stepFacts, binding }]
  })

interface Located {
  readonly carried: ReadonlyArray<Admitted>
  /** Of which no transaction is known. */
  readonly nowhere: ReadonlyArray<AdmittedStanding>
}

const locateOf = Effect.fnUntraced(function* (
  chainId: number,
  transport: Binding["transport"],
  steps: ReadonlyArray<AdmittedStanding>
) {
  const tracking = (yield* Transports)[transport]
  if (tracking === undefined) return { carried: [], nowhere: steps } satisfies Located
  const { locate, walletNonce, prove } = tracking
  const hashes = yield* locate(
    chainId,
    steps.map(({ binding }) => binding)
  )
  const carried = steps.flatMap((standing, index) => {
    const hash = hashes[index]
    return hash === undefined
      ? []
      : [{ ...standing, hash, walletNonce: walletNonce(standing.binding), prove }]
  })
  return { carried, nowhere: steps.filter((_, index) => hashes[index] === undefined) } satisfies Located
})

/** What cannot be looked up now is in neither list. */
export const locateAll = Effect.fnUntraced(function* (
  chainId: number,
  steps: ReadonlyArray<AdmittedStanding>
) {
  const transports = [...new Set(steps.map(({ binding }) => binding.transport))]
  const located = yield* Effect.forEach(
    transports,
    transport => {
      const own = steps.filter(({ binding }) => binding.transport === transport)
      const nothing: Located = { carried: [], nowhere: [] }
      return Effect.orElseSucceed(locateOf(chainId, transport, own), () => nothing)
    },
    { concurrency: "unbounded" }
  )
  return {
    carried: located.flatMap(({ carried }) => carried),
    nowhere: located.flatMap(({ nowhere }) => nowhere)
  } satisfies Located
})
