import { shownAccount } from "../AccountText.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import type { Input } from "../Input.ts"

const avatarOf = (input: Input, present: string | null): string | null => {
  const given = input.value("avatar")
  if (given === undefined) return present
  return given === "" ? null : given
}

export const accountProfile: Command = {
  name: "account profile",
  summary: "Change the profile; what is not given stays as it is.",
  flags: [
    ...signedFlags,
    { name: "name", value: "<text>", help: "Display name of at most 120 bytes." },
    { name: "bio", value: "<text>", help: "Biography of at most 2000 bytes." },
    { name: "avatar", value: "<URI>", help: 'https:// or ipfs://; "" removes it.' }
  ],
  run: async (input, terminal) => {
    const { client } = await connect(input, terminal)
    const { profile } = await client.accounts.show()
    const changed = await client.accounts.replaceProfile({
      displayName: input.value("name") ?? profile.displayName,
      bio: input.value("bio") ?? profile.bio,
      avatarUri: avatarOf(input, profile.avatarUri)
    })
    return shownAccount(changed)
  }
}
