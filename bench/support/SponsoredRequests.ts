/** What wallets ask and sign of sponsorships in benchmarks. */
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { forwardRequestDigest } from "../../src/values/ForwardRequest.ts"
import { fromHex } from "../../src/values/TypedDataHash.ts"
import { sign } from "../../test/signatures/TestKeys.ts"
import { lanesWithAnswers } from "./LaneLoad.ts"
import { type Outgoing, wireOf } from "./RelayRequests.ts"
import { SERVICE_PORT } from "./RelayWorld.ts"
import type { BenchAccount } from "./Requests.ts"

const SETUP = { port: SERVICE_PORT, lanes: 32, seconds: 600 }

export const sponsorshipRequest = (planId: string): Outgoing => ({
  method: "POST",
  target: "/api/v1/sponsorships",
  body: { planId }
})

export const publicationRequest = ({ key }: BenchAccount, { id, authorizations }: Sponsorship): Outgoing => ({
  method: "POST",
  target: `/api/v1/sponsorships/${id}/submissions`,
  body: {
    signatures: authorizations.map(({ domain, message }) =>
      sign(key, fromHex(forwardRequestDigest(domain, message)))
    )
  }
})

/** One for each plan, in their order. */
export const sponsorshipsFor = async (
  wanted: ReadonlyArray<{ readonly account: BenchAccount; readonly planId: string }>
): Promise<ReadonlyArray<Sponsorship>> => {
  const requests = wanted.map(({ account, planId }) => wireOf(account, sponsorshipRequest(planId)))
  const answers = await lanesWithAnswers(requests, SETUP)
  const failed = answers.find(({ status }) => status !== 201)
  if (failed !== undefined || answers.length !== wanted.length)
    throw new Error(`a sponsorship was not prepared: ${failed?.status} ${failed?.body}`)
  return answers.map(({ body }): Sponsorship => JSON.parse(body))
}
