import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { operationText } from "../OperationText.ts"

export const operationShow: Command = {
  name: "operation show",
  takes: "<operation id>",
  summary: "Show an operation of a wallet: where it stands and what brings it on.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const { client } = await connect(input, terminal)
    const operation = await client.userOperations.show(input.needed(0))
    return { json: operation, text: operationText(operation) }
  }
}
