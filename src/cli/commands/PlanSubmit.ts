import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { alone } from "../OneRun.ts"
import { keptPlaces } from "../Pending.ts"
import { unaltered } from "../Plans.ts"
import { ownerKeyFlag, speechOn, toldOf } from "../Signing.ts"
import { signingFlags } from "../SignTransaction.ts"
import { signAndSubmit } from "../SubmitStep.ts"
import { timeoutFlag, timeoutOf, watched } from "../Watch.ts"

export const planSubmit: Command = {
  name: "plan submit",
  takes: "<plan id> <step>",
  summary: "Sign a step's exact call with the wallet and have the service relay it once.",
  details:
    "The plan's commitment is checked before anything is signed. With a bot's key the owner's key also signs a fresh approval of exactly these bytes. Run again after a crash: the same bytes are sent.",
  flags: [
    ...signedFlags,
    ...signingFlags,
    { name: "raw", value: "<hex>", help: "A transaction signed elsewhere, exactly as it is." },
    ownerKeyFlag,
    { name: "watch", help: "Then follow the step until it is decided." },
    timeoutFlag
  ],
  keeps: true,
  run: async (input, terminal) => {
    const index = input.step(1)
    const seconds = timeoutOf(input)
    const connection = await connect(input, terminal)
    const { client } = connection
    const plan = await client.plans.show(input.needed(0))
    const step = plan.steps[index]
    if (step === undefined)
      throw usageFailure(`The plan has no step ${index}.`, `It has ${plan.steps.length}, from 0.`)
    const review = await unaltered(connection, plan, input.needed(0))
    const speech = speechOn(terminal)
    speech.about(toldOf(review, step))
    const places = keptPlaces(connection, client.account, "plan submit", plan.id)
    const outcome = await alone(terminal, places, () =>
      signAndSubmit({ ...connection, input, plan, speech }, step, terminal)
    )
    if (!input.has("watch")) return outcome
    const { plan: submitted = plan } = Object(outcome.json)
    return watched(client, terminal, submitted, { step: step.index, seconds })
  }
}
