/** What operators see of each transport: what came of its sendings, and what the chains told of them. */
import { Effect, Metric } from "effect"
import { type Binding, isOfSession } from "../plans/Binding.ts"
import type { StepFacts } from "../plans/Step.ts"

/** A session is a user operation that a session's key signed. */
export type MeasuredTransport = "direct" | "sponsorship" | "user-operation" | "session"

const submissions = Metric.counter("service_submissions_total", {
  description: "What left by this process, once each, by transport and by what was told of its arrival.",
  incremental: true
})

const executions = Metric.counter("service_executions_total", {
  description:
    "Steps by transport and by what their chain told of them; expired counts what can be executed no more.",
  incremental: true
})

const labelled = (counter: typeof submissions, transport: MeasuredTransport, outcome: string) =>
  counter.pipe(Metric.tagged("transport", transport), Metric.tagged("outcome", outcome))

export const countSubmission = (transport: MeasuredTransport, outcome: string): Effect.Effect<void> =>
  Metric.increment(labelled(submissions, transport, outcome))

export const countExpired = (transport: MeasuredTransport, count: number): Effect.Effect<void> =>
  Metric.incrementBy(labelled(executions, transport, "expired"), count)

const transportOf = (binding: Binding): MeasuredTransport => {
  if (binding.transport === "signed-eoa-transaction") return "direct"
  if (binding.transport === "forwarder-prepaid-erc2771") return "sponsorship"
  return isOfSession(binding.operation) ? "session" : "user-operation"
}

const TOLD: ReadonlySet<StepFacts["observed"]> = new Set(["confirmed", "reverted", "reorged"])

/** Of the steps that this process stored another state of. */
export const countExecutions = (
  before: ReadonlyArray<StepFacts>,
  after: ReadonlyArray<StepFacts>
): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const [step, { binding, observed }] of after.entries()) {
      if (binding === undefined || observed === undefined) continue
      if (!TOLD.has(observed) || before[step]?.observed === observed) continue
      labelled(executions, transportOf(binding), observed).unsafeUpdate(1, [])
    }
  })
