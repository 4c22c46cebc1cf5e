import { shownAccount } from "../AccountText.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"

export const accountEnroll: Command = {
  name: "account enroll",
  summary: "Enroll the signing owner's account; nothing is sent to a chain.",
  details: "Enrolling again shows the account as it is. On the sandbox it works without any flag.",
  flags: signedFlags,
  run: async (input, terminal) =>
    shownAccount(await (await connect(input, terminal)).client.accounts.enroll())
}
