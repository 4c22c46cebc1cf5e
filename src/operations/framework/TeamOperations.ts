/** Operations of a team's own package: each declared and done in one place. */
import type { Schema } from "effect"
import type { PlanEffects } from "../../effects/PlanEffects.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import { definePlan, type PlanRun } from "./DefinePlan.ts"
import { type Declared, defineOperation, type Run } from "./Operation.ts"
import { type DeclaredPlan, declarePlan, type PlanInput } from "./PlanOperation.ts"
import type { SourceClass } from "./Sources.ts"

type AnySchema = Schema.Schema.AnyNoContext

/** Answered at once. */
export const defineReadOperation = <
  const Id extends string,
  In extends AnySchema,
  Out extends AnySchema,
  From extends SourceClass,
  Code extends ProblemCode,
  R
>({
  run,
  ...declaration
}: Declared<Id, In, Out, From, Code> & { readonly run: Run<Declared<Id, In, Out, From, Code>, R> }) =>
  defineOperation(declaration, run)

/** Prepared as a plan, which its wallet reviews and signs. */
export const definePlanOperation = <
  const Id extends string,
  In extends PlanInput,
  InI,
  Summary extends object,
  SummaryI extends object,
  Code extends ProblemCode,
  const Effects extends PlanEffects,
  R,
  LaterR
>({
  effects,
  run,
  ...declaration
}: DeclaredPlan<Id, In, InI, Summary, SummaryI, Code> & {
  /** By its call, how a receipt proves the effect of each, or why it does not. */
  readonly effects: Effects
  readonly run: PlanRun<In, Summary, Code, Effects, R, LaterR>
}) => definePlan(declarePlan(declaration), effects, run)
