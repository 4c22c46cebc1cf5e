/** What an operation declares of the calls that it plans: how the effect of each is proved, or why it is not. */
import type { CallName, ContractName } from "../protocol/ContractFunction.ts"
import type { Predicate } from "./Predicate.ts"

interface Unmodeled {
  readonly unmodeled: string
}

/** An effect that no receipt proves, for a reason that its operation tells. */
export const unmodeled = (reason: string): Unmodeled => ({ unmodeled: reason })

type CallEffect<Call extends string> = Predicate<Call> | Unmodeled

/** By the calls, each as `<bare name of the contract>.<canonical signature>`. */
export type PlanEffects = Readonly<Record<string, CallEffect<never>>>

type OfTheirCalls<Effects> = {
  readonly [Call in keyof Effects]: Call extends CallName ? CallEffect<Call> : "no contract has this function"
}

/** As a team declares them, whose own contracts no type knows. */
type TeamEffects<Effects> = {
  readonly [Call in keyof Effects]: Call extends CallName
    ? CallEffect<Call>
    : Call extends `${ContractName}.${string}`
      ? "no contract has this function"
      : CallEffect<Call & string>
}

export const planEffects = <const Effects extends OfTheirCalls<Effects>>(effects: Effects): Effects => effects

export const teamEffects = <const Effects extends TeamEffects<Effects>>(effects: Effects): Effects => effects

const isPredicate = (effect: CallEffect<never>): effect is Predicate => "judge" in effect

export const predicatesOf = (effects: PlanEffects): ReadonlyArray<Predicate> =>
  Object.values(effects).filter(isPredicate)
