import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { leftToOthers, ownerPartFlags } from "../OwnerParts.ts"
import { ownerKeyFlag } from "../Signing.ts"
import { operationSignedHere } from "../SignOperation.ts"

export const operationSign: Command = {
  name: "operation sign",
  takes: "<operation id>",
  summary: "Sign an operation as one of its wallet's owners, and write it to a file for the others.",
  details:
    "With --out the file has what these owners signed and what is left to be signed; without it the signatures are printed. A wallet's operation is prepared by a command with --wallet, or in the console.",
  example: "service operation sign 8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42 --out ask.json",
  flags: [
    ...signedFlags,
    { name: "yes", help: "Agree beforehand: nobody is asked." },
    ownerKeyFlag,
    ...ownerPartFlags
  ],
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const { signing, request, parts } = await operationSignedHere({
      connection,
      input,
      terminal,
      id: input.needed(0)
    })
    const { identity } = connection
    if (input.has("out")) return leftToOthers({ input, identity }, request, parts, signing.threshold)
    return {
      json: { digest: request.digest, parts },
      text: parts.map(({ signature }) => signature).join("\n")
    }
  }
}
