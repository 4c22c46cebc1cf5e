import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { indented, isoMillis, textTable } from "../Table.ts"

export const walletManifests: Command = {
  name: "wallet manifests",
  summary: "List the deployments of smart accounts, and whether their chains have the code that is pinned.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const { client } = await connect(input, terminal)
    const told = await client.smartAccounts.capabilities()
    const rows = told.deployments.map(({ manifestId, mode, chainId, state, checkedAt }) => [
      ...[manifestId, mode, String(chainId), state, isoMillis(checkedAt)]
    ])
    return {
      json: told,
      text: [
        textTable(["MANIFEST", "MODE", "CHAIN", "STATE", "CHECKED"], rows),
        `not supported\n${indented(told.exclusions.join("\n"))}`
      ].join("\n\n")
    }
  }
}
