import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { ExitCode } from "../Failure.ts"
import { shownPlan } from "../Plans.ts"
import { ownerKeyFlag } from "../Signing.ts"
import { signingFlags, signingTerms } from "../SignTransaction.ts"
import { sponsored } from "../Sponsor.ts"
import { timeoutFlag, timeoutOf } from "../Watch.ts"

export const sponsor: Command = {
  name: "sponsor",
  takes: "<plan id>",
  summary:
    "Have somebody else pay the gas of a plan: sign its steps as requests, which a provider has executed.",
  details:
    'The plan and its requests are shown in words; once you agree, the wallet signs the requests, the service publishes them once for ever, and they are followed until they are executed. Each request is computed anew from the plan before it is signed. Run again after a crash: the same command goes on with the same signatures. A step whose contract takes no requests through a forwarder is refused before anything is signed: send it with "service plan submit". "service sponsor list" lists what was sponsored, "service sponsor show" tells of one.',
  example: "service sponsor 8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
  flags: [
    ...signedFlags,
    { name: "yes", help: "Agree beforehand: nobody is asked." },
    ownerKeyFlag,
    ...signingFlags,
    timeoutFlag
  ],
  keeps: true,
  run: async (input, terminal) => {
    timeoutOf(input)
    signingTerms(input)
    const asked = input.needed(0)
    const connection = await connect(input, terminal)
    const plan = await connection.client.plans.show(asked, { refresh: true })
    const { review, ...shown } = await shownPlan(connection, plan, asked)
    if (shown.exitCode !== ExitCode.ok) return shown
    terminal.note(shown.text)
    return sponsored({ ...connection, input, review }, plan, terminal)
  }
}
