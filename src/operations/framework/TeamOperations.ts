/** Operations of a team's own package: each declared and done in one place. */
import type { Effect } from "effect"
import type { PlanEffects } from "../../effects/PlanEffects.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import { definePlan, type PlanPreparation } from "./DefinePlan.ts"
import { type Declared, defineOperation } from "./Operation.ts"
import type { RefusedAnswer, RefusedDraft } from "./OperationProblems.ts"
import type { AnyPlannedCall, PlannedCall } from "./PlanCalls.ts"
import { type DeclaredPlan, declarePlan, type PlanInput } from "./PlanOperation.ts"
import type { Source, SourceClass } from "./Sources.ts"

interface Read<
  Id extends string,
  Input,
  InputI,
  Output,
  OutputI,
  From extends SourceClass,
  Code extends ProblemCode,
  R
> extends Declared<Id, Input, InputI, Output, OutputI, From, Code> {
  readonly run: (
    input: Input,
    source: Source | undefined
  ) => Effect.Effect<Output, RefusedAnswer<NoInfer<From>, NoInfer<Code>>, R>
}

/** Answered at once. */
export const defineReadOperation = <
  const Id extends string,
  Input,
  InputI,
  Output,
  OutputI,
  From extends SourceClass,
  Code extends ProblemCode,
  R
>({
  run,
  ...declaration
}: Read<Id, Input, InputI, Output, OutputI, From, Code, R>) => defineOperation(declaration, run)

interface Planned<
  Id extends string,
  Input extends PlanInput,
  InputI,
  Summary extends object,
  SummaryI extends object,
  Code extends ProblemCode,
  Effects,
  R,
  LaterR
> extends DeclaredPlan<Id, Input, InputI, Summary, SummaryI, Code> {
  /** By its call, how a receipt proves the effect of each, or why it does not. */
  readonly effects: Effects
  /** The calls, each of which `effects` names, and what is told with them. */
  readonly run: (
    input: Input,
    snapshot: PinnedSnapshot
  ) => Effect.Effect<
    PlanPreparation<Summary, RefusedDraft<NoInfer<Code>>, LaterR, AnyPlannedCall & PlannedCall<Effects>>,
    RefusedDraft<NoInfer<Code>>,
    R
  >
}

/** Prepared as a plan, which its wallet reviews and signs. */
export const definePlanOperation = <
  const Id extends string,
  Input extends PlanInput,
  InputI,
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
}: Planned<Id, Input, InputI, Summary, SummaryI, Code, Effects, R, LaterR>) =>
  definePlan(declarePlan(declaration), effects, run)
