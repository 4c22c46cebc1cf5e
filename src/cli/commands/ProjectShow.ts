import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { indexedText, onchainText } from "../ProjectText.ts"

const chainIn = (text: string): number => {
  if (!/^[1-9][0-9]{0,15}$/.test(text))
    throw usageFailure(`"${text}" is no chain id.`, "Give its number, such as 1.")
  return Number(text)
}

export const projectShow: Command = {
  name: "project show",
  takes: "<chain> <project id>",
  summary: "Show a project: owner, rulesets, token, balances, limits.",
  details:
    "From the chain itself at one canonical block, or from the indexed source, which may lag behind. What could not be read is shown as unknown with its reason.",
  flags: [
    ...signedFlags,
    {
      name: "source",
      value: "<source>",
      help: "onchain (as usual) or indexer; one never replaces the other."
    }
  ],
  run: async (input, terminal) => {
    const chainId = chainIn(input.needed(0))
    const source = input.choice("source", ["onchain", "indexer"]) ?? "onchain"
    const { client } = await connect(input, terminal)
    const answer = await client.projects.get({ chainId, projectId: input.needed(1), source })
    const text = answer.source === "onchain" ? onchainText(answer.onchain) : indexedText(answer)
    return { json: answer, text }
  }
}
