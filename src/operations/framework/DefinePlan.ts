/** Joins what a plan operation does to its declaration, and adds to every plan what its wallet can rest on. */
import { Data, Effect, Either, type ParseResult, Schema } from "effect"
import type { PlanEffects } from "../../effects/PlanEffects.ts"
import type { PlanDraft } from "../../plans/PlanDraft.ts"
import { PinnedContracts, type PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { decoder } from "../../values/Conforms.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import type { AnyRefusal } from "../../values/Refusal.ts"
import type { Address } from "../../values/Scalars.ts"
import type { Spending } from "../shared/Allowance.ts"
import { atHead } from "../shared/context/AtHead.ts"
import { gasView, readFees, simulateFirstSteps } from "./FirstStep.ts"
import type { RefusedDraft } from "./OperationProblems.ts"
import { type AnyPlannedCall, type PlannedCall, planCall } from "./PlanCalls.ts"
import type { AnyDeclaredPlan, PlanInput } from "./PlanOperation.ts"
import type { PlanBasis } from "./PlanSummary.ts"
import { readWallet, requireFunds } from "./Wallet.ts"

interface Told<Summary> {
  readonly summary: Summary
  readonly warnings: ReadonlyArray<string>
}

export interface PlanPreparation<Summary, E, R, Call extends AnyPlannedCall = AnyPlannedCall> {
  readonly calls: ReadonlyArray<Call>
  /** What the calls take of a token, so that the wallet's part of it is shown. */
  readonly spends?: Spending | undefined
  /** What is still to be read for it travels beside the simulation of the first calls; its refusal comes first. */
  readonly told: Effect.Effect<Told<Summary>, E, R>
}

/** A summary that its own schema does not encode: our mistake, never the caller's. */
class UnencodableSummary extends Data.Error<{ readonly operation: string; readonly cause: unknown }> {}

export interface Preparing<R> {
  readonly account: Address
  readonly chainId: number
  readonly draft: Effect.Effect<PlanDraft, AnyRefusal, R>
}

export interface PlanOperation<R, Declaration extends AnyDeclaredPlan = AnyDeclaredPlan> {
  readonly id: string
  readonly declaration: Declaration
  readonly effects: PlanEffects
  /** Reads the input; nothing is asked of a chain until the draft is run. */
  readonly prepare: (input: unknown) => Either.Either<Preparing<R>, ParseResult.ParseError>
}

const chainOf = (input: PlanInput): number => ("project" in input ? input.project.chainId : input.chainId)

/** One round trip. */
const stand = Effect.fn("Plans.stand")(function* <Summary, E, R>(
  snapshot: PinnedSnapshot,
  account: Address,
  { calls: planned, spends, told }: PlanPreparation<Summary, E, R>
) {
  const { names } = yield* PinnedContracts
  const encoded = yield* Effect.forEach(planned, (each, index) =>
    planCall(names, snapshot.chainId, each, index)
  )
  const calls = encoded.map(({ call }) => call)
  const answers = yield* eachAtOnce({
    told,
    wallet: readWallet(snapshot, account, calls, spends),
    simulation: simulateFirstSteps(names, snapshot, account, encoded),
    fees: readFees(snapshot)
  })
  const { summary, warnings } = yield* answers.told
  const wallet = yield* answers.wallet
  yield* requireFunds(wallet)
  const simulation = yield* answers.simulation
  const basis: PlanBasis = { wallet, simulation, gas: gasView(simulation, yield* answers.fees) }
  return { calls, summary, warnings, basis }
})

/** The calls, each of which its effects name, and what is told with them. */
export type PlanRun<Input, Summary, Code extends ProblemCode, Effects, R, LaterR> = (
  input: Input,
  snapshot: PinnedSnapshot
) => Effect.Effect<
  PlanPreparation<Summary, RefusedDraft<NoInfer<Code>>, LaterR, AnyPlannedCall & PlannedCall<Effects>>,
  RefusedDraft<NoInfer<Code>>,
  R
>

type RunOf<Declaration extends AnyDeclaredPlan, Effects, R, LaterR> = PlanRun<
  Declaration["input"]["Type"],
  Declaration["summary"]["Type"],
  Declaration["problems"][number],
  Effects,
  R,
  LaterR
>

export const definePlan = <Declaration extends AnyDeclaredPlan, R, LaterR, const Effects extends PlanEffects>(
  declaration: Declaration,
  effects: Effects,
  run: RunOf<NoInfer<Declaration>, Effects, R, LaterR>
): PlanOperation<R | LaterR | PinnedContracts, Declaration> => {
  const { id, plan, input: schema, summary } = declaration
  const decode = decoder(schema)
  const encode = Schema.encodeEither(summary)
  const draftOf = Effect.fn("Plans.prepare")(function* (input: PlanInput) {
    const { evidence, stood } = yield* atHead(chainOf(input), snapshot =>
      Effect.flatMap(run(input, snapshot), prepared =>
        Effect.map(stand(snapshot, input.account, prepared), stood => ({
          evidence: snapshot.evidence,
          stood
        }))
      )
    )
    const own = yield* Either.mapLeft(
      encode(stood.summary),
      cause => new UnencodableSummary({ operation: id, cause })
    ).pipe(Effect.orDie)
    const draft: PlanDraft = {
      operation: plan,
      account: input.account,
      ...("project" in input ? { project: input.project } : {}),
      summary: { ...own, ...stood.basis },
      calls: stood.calls,
      evidence: [evidence],
      warnings: [...new Set(stood.warnings)]
    }
    return draft
  })
  return {
    id,
    declaration,
    effects,
    prepare: json =>
      Either.map(decode(json), input => ({
        account: input.account,
        chainId: chainOf(input),
        draft: draftOf(input)
      }))
  }
}
