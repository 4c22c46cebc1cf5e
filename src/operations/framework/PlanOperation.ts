/** How an operation that prepares a plan is declared, which clients read too. */
import type { Schema } from "effect"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import type { Address } from "../../values/Scalars.ts"
import type { Described } from "./Operation.ts"

/** Every input names the wallet that the plan is for, and the one chain of its calls. */
export type PlanInput = { readonly account: Address } & (
  | { readonly project: { readonly chainId: number; readonly projectId: string; readonly version: 6 } }
  | { readonly chainId: number }
)

interface PlanDescribed extends Omit<Described, "kind"> {
  /** What its plans are called; a stored plan keeps its name, so that none may change. */
  readonly plan: string
}

export interface DeclaredPlan<
  Id extends string,
  Input extends PlanInput,
  InputI,
  Summary,
  SummaryI,
  Code extends ProblemCode
> extends PlanDescribed {
  readonly id: Id
  readonly input: Schema.Schema<Input, InputI>
  /** Members of the plan's summary besides those of every plan. */
  readonly summary: Schema.Schema<Summary, SummaryI>
  /** Its own refusals; those of every plan go without saying. */
  readonly problems: ReadonlyArray<Code>
}

export interface AnyDeclaredPlan extends PlanDescribed {
  readonly id: string
  readonly kind: "prepare"
  readonly input: Schema.Schema.AnyNoContext
  readonly summary: Schema.Schema.AnyNoContext
  readonly problems: ReadonlyArray<ProblemCode>
}

/** Free of services, for it is what the HTTP description, the docs and the clients are made of. */
export const declarePlan = <
  const Id extends string,
  Input extends PlanInput,
  InputI,
  Summary extends object,
  SummaryI extends object,
  Code extends ProblemCode
>(
  declared: DeclaredPlan<Id, Input, InputI, Summary, SummaryI, Code>
) => ({ ...declared, kind: "prepare" as const })
