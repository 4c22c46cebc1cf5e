import { agreedOnTerminal } from "../Agree.ts"
import type { Command } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import { ExitCode } from "../Failure.ts"
import type { Input } from "../Input.ts"
import { intentText } from "../IntentText.ts"
import { textFrom } from "../Json.ts"

const signedBy = async (input: Input, { identity }: Connection, message: string) => {
  const signature = input.value("signature")
  return signature === undefined
    ? { publisher: identity.wallet.address, signature: await identity.wallet.signMessage({ message }) }
    : { publisher: input.neededValue("publisher"), signature }
}

export const intentPublish: Command = {
  name: "intent publish",
  summary: "Sign and publish what somebody wants to deploy, for everybody to see and for good.",
  details:
    "The file is the envelope {format, deploymentVersion, chainIds, deploymentCalls, jb}. The publisher signs a message of its hash (EIP-191); the same content by the same publisher is the same record.",
  example: "service intent publish --input intent.json",
  flags: [
    { name: "input", value: "<file>", help: 'The envelope as JSON; "-" from standard input.' },
    { name: "yes", help: "Agree beforehand: nobody is asked." },
    { name: "signature", value: "<hex>", help: "A signature of the message made elsewhere, by --publisher." },
    { name: "publisher", value: "<address>", help: "Who made the signature." },
    ...signedFlags
  ],
  run: async (input, terminal) => {
    if (input.has("publisher") && !input.has("signature"))
      input.fail("--publisher goes with --signature alone: without it, the own key signs.")
    const { preparedIntent } = await import("../IntentEnvelope.ts")
    const { envelope, message } = preparedIntent(await textFrom(input.neededValue("input")))
    const connection = await connect(input, terminal)
    terminal.note(`To be signed:\n${message}`)
    if (!(await agreedOnTerminal(input, terminal, "Sign and publish it for good?", "the intent")))
      return { json: null, text: "Nothing was signed or published.", exitCode: ExitCode.usage }
    const intent = await connection.client.intents.publish({
      envelope,
      ...(await signedBy(input, connection, message))
    })
    return { json: intent, text: `${intentText(intent)}\n\nNext: service intent show ${intent.id}` }
  }
}
