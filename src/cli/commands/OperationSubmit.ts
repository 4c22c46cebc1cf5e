import { envelopeOfOwners } from "../../client/OwnerSigning.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { operationText } from "../OperationText.ts"
import { leftToOthers, ownerPartFlags } from "../OwnerParts.ts"
import { keptPlaces, pendingWork } from "../Pending.ts"
import { ownerKeyFlag } from "../Signing.ts"
import { submissionSignedHere } from "../SignOperation.ts"

export const operationSubmit: Command = {
  name: "operation submit",
  takes: "<operation id>",
  summary:
    "Have an operation sent once, with the signatures of its wallet's owners, or of its session's key.",
  details: "Run again after a crash: the same signatures go on, and nothing is sent twice.",
  example: "service operation submit 8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42 --add-signature signature.json",
  flags: [
    ...signedFlags,
    { name: "yes", help: "Agree beforehand: nobody is asked." },
    ownerKeyFlag,
    ...ownerPartFlags
  ],
  keeps: true,
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const { client, identity } = connection
    const id = input.needed(0)
    const pending = pendingWork(terminal, keptPlaces(connection, client.principalId, id, "submission"))
    let kept = await pending.recall()
    if (kept === undefined) {
      const signed = await submissionSignedHere({ connection, input, terminal, id })
      if (typeof signed !== "string" && signed.parts.length < signed.signing.threshold)
        return leftToOthers({ input, identity }, signed.request, signed.parts, signed.signing.threshold)
      const signature = typeof signed === "string" ? signed : envelopeOfOwners(signed.signing, signed.parts)
      kept = { signature, key: crypto.randomUUID() }
      await pending.keep(kept)
    }
    const { signature = "", key: idempotencyKey } = kept
    const { operation } = await client.userOperations.submit(id, { signature }, { idempotencyKey })
    await pending.forget()
    return { json: operation, text: `${operationText(operation)}\nNext: service operation watch ${id}` }
  }
}
