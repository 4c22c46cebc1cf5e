import { approving } from "../../client/CarryOut.ts"
import type { BundleSubmission } from "../../client/Plans.ts"
import type { Plan } from "../../plans/Plan.ts"
import type { Command, CommandOutcome } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import { mayBeDone } from "../Explain.ts"
import { ExitCode, usageFailure } from "../Failure.ts"
import type { Input } from "../Input.ts"
import { unaltered } from "../Plans.ts"
import { stepText } from "../PlanText.ts"
import { meansOf, ownerKeyFlag, speechOn, submitOptions, toldOf } from "../Signing.ts"
import { timeoutFlag, timeoutOf, watched } from "../Watch.ts"

interface Given {
  readonly stepIndex: number
  readonly raw: string
}

const givenBy = (input: Input): ReadonlyArray<Given> =>
  input.all("raw").map(text => {
    const [, step = "", raw = ""] = /^([0-9]|[12][0-9]|3[01])=(0x[0-9a-fA-F]+)$/.exec(text) ?? []
    if (raw === "") return input.fail(`--raw takes <step>=<hex>, not "${text.slice(0, 40)}".`)
    return { stepIndex: Number(step), raw }
  })

type Submitted = Awaited<ReturnType<Connection["client"]["plans"]["submitBundle"]>>

interface Ended extends Pick<Submitted, "complete"> {
  readonly results: ReadonlyArray<Pick<Submitted["results"][number], "dispatch">>
  readonly error?: Pick<NonNullable<Submitted["error"]>, "code"> | undefined
}

/** What was sent is perhaps on its way. */
const mayHaveLeft = ({ results, error }: Ended): boolean =>
  results.some(({ dispatch }) => dispatch.status === "unknown") ||
  (error !== undefined && (error.code === "STEP_STATE_UNCERTAIN" || mayBeDone(error.code)))

export const exitCodeOf = (submitted: Ended): ExitCode => {
  const { complete, results } = submitted
  if (mayHaveLeft(submitted)) return ExitCode.unknown
  if (complete) return ExitCode.ok
  return results.length === 0 ? ExitCode.refused : ExitCode.unconfirmed
}

const nextOf = ({ complete, error, remainingStepIndices = [], plan }: Submitted): string =>
  complete
    ? `Next: service plan watch ${plan.id}`
    : [
        `Stopped at step ${remainingStepIndices[0]}: ${error?.code}: ${error?.detail}`,
        `Not submitted: step ${remainingStepIndices.join(", ")}. The same command again goes on from there.`
      ].join("\n")

const report = (submitted: Submitted): CommandOutcome => {
  const { results, plan } = submitted
  const lines = results.flatMap(({ stepIndex }) => {
    const step = plan.steps[stepIndex]
    return step === undefined ? [] : [`step ${stepIndex}  ${stepText(step)}`]
  })
  return {
    json: submitted,
    text: [...lines, nextOf(submitted)].join("\n"),
    exitCode: exitCodeOf(submitted)
  }
}

export const planSubmitAll: Command = {
  name: "plan submit-all",
  takes: "<plan id>",
  summary: "Have the service relay several signed steps in their order, up to the first that cannot go.",
  details:
    "Nothing is atomic: what was relayed before a stop stays. Steps that wait for others go once those are confirmed: run the same command again. With a bot's key the owner's key signs a fresh approval for each step.",
  flags: [
    ...signedFlags,
    {
      name: "raw",
      value: "<step>=<hex>",
      help: "A step's signed transaction, exactly as it is; once for each step, in the order of the wallet's nonces.",
      repeatable: true
    },
    ownerKeyFlag,
    { name: "watch", help: "Then follow the plan until it is decided or waits for a signature." },
    timeoutFlag
  ],
  keeps: true,
  run: async (input, terminal) => {
    const given = givenBy(input)
    const seconds = timeoutOf(input)
    if (given.length === 0) return input.fail("Give --raw <step>=<hex> for each step.")
    const connection = await connect(input, terminal)
    const { client } = connection
    const plan: Plan = await client.plans.show(input.needed(0))
    const review = await unaltered(connection, plan, input.needed(0))
    const speech = speechOn(terminal)
    const means = meansOf(connection, terminal)
    const options = submitOptions({ ...connection, input, plan, speech }, terminal)
    const submissions: Array<BundleSubmission> = []
    for (const { stepIndex, raw } of given) {
      const step = plan.steps[stepIndex]
      if (step === undefined)
        throw usageFailure(`The plan has no step ${stepIndex}.`, `It has ${plan.steps.length}, from 0.`)
      speech.about(toldOf(review, step))
      submissions.push({ stepIndex, ...(await approving(means, options, plan, step)(raw)) })
    }
    const submitted = await client.plans.submitBundle(plan.id, submissions)
    const outcome = report(submitted)
    if (!input.has("watch") || outcome.exitCode !== ExitCode.ok) return outcome
    return watched(client, terminal, submitted.plan, { seconds })
  }
}
