import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { requestsText, sponsorshipText } from "../SponsorshipText.ts"

export const sponsorShow: Command = {
  name: "sponsor show",
  takes: "<sponsorship id>",
  summary: "Show a sponsorship: its requests, where it stands and what brings it on.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const { client } = await connect(input, terminal)
    const sponsorship = await client.sponsorships.show(input.needed(0))
    const requests = requestsText(sponsorship, client.clock.seconds() * 1000)
    return { json: sponsorship, text: `${sponsorshipText(sponsorship)}\n${requests}` }
  }
}
