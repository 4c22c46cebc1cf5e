import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { leftToOthers, ownerPartFlags } from "../OwnerParts.ts"
import { ownerKeyFlag } from "../Signing.ts"
import { operationSignedHere } from "../SignOperation.ts"

export const operationSign: Command = {
  name: "operation sign",
  takes: "<operation id>",
  summary: "Sign an operation as one of its wallet's owners, and write it to a file for the others.",
  flags: [
    ...signedFlags,
    { name: "yes", help: "Agree beforehand: nobody is asked." },
    ownerKeyFlag,
    ...ownerPartFlags
  ],
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const { operation, request, parts } = await operationSignedHere(
      connection,
      input,
      terminal,
      input.needed(0)
    )
    const { identity } = connection
    if (input.has("out"))
      return leftToOthers({ input, identity }, request, parts, operation.signing.threshold)
    return {
      json: { digest: request.digest, parts },
      text: parts.map(({ signature }) => signature).join("\n")
    }
  }
}
