import { bareFlags, bareRevocation } from "../BareRevocation.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { lifecycled, lifecycleFlags } from "../SessionLifecycle.ts"
import { signingFlags } from "../SignTransaction.ts"

export const sessionRevoke: Command = {
  name: "session revoke",
  takes: "[<session id>]",
  summary: "Have a wallet's owners revoke a session; with --bare without the service.",
  details:
    "From the block of the revocation on, the guard refuses whatever the session's key signs, whoever sends it, and the session never comes back. The owners sign one operation. --bare needs the chain alone: it prints the transaction of the wallet that does the same, with the hashes that a hardware wallet shows, and once enough owners signed what anybody may send.",
  example: "service session revoke 8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42 --owner-key-file second.json",
  flags: [...signedFlags, ...lifecycleFlags, ...bareFlags, ...signingFlags],
  keeps: true,
  run: async (input, terminal) => {
    if (input.has("bare") && input.word(0) !== undefined)
      input.fail("--bare asks no service what a session's id names: leave it out, and give --wallet.")
    if (input.has("bare")) return bareRevocation(input, terminal)
    const id = input.needed(0)
    const connection = await connect(input, terminal)
    const lifecycle = { kind: "revocation", done: ["revoked"] } as const
    return lifecycled({ ...connection, input }, lifecycle, id, terminal)
  }
}
