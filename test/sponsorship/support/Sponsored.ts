/** Plans whose steps are to be sponsored, over a local chain with its forwarder. */
import { Redacted } from "effect"
import { assert } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { SettingsShape } from "../../../src/settings/Settings.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { startRelayBench } from "../../support/RelayBench.ts"
import type { RunningService } from "../../support/Service.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"

export const sponsoring = (
  over: Partial<SettingsShape["sponsorship"]> = {}
): SettingsShape["sponsorship"] => ({
  providerUrl: Redacted.make("http://127.0.0.1:9/"),
  providerHeaders: Redacted.make({}),
  requestSeconds: 3_600,
  maximumGas: 10_000_000n,
  maximumFunding: 10n ** 18n,
  payments: [],
  recordsPerAccount: 1_000,
  ...over
})

export const startSponsoringBench = (over: Partial<SettingsShape["sponsorship"]> = {}) =>
  startRelayBench({ settings: { sponsorship: sponsoring(over) } })

type Service = Pick<RunningService, "url" | "audience">

export const askSponsorship = (
  service: Service,
  party: Party,
  body: Readonly<Record<string, unknown>>,
  options: RequestOptions = {}
) =>
  signedFetch(service, party, "POST", "/api/v1/sponsorships", {
    body,
    idempotencyKey: freshNonce(),
    ...options
  })

export const sponsorshipFor = async (
  service: Service,
  party: Party,
  { id }: Pick<Plan, "id">,
  over: Readonly<Record<string, unknown>> = {}
): Promise<Sponsorship> => {
  const answer = await askSponsorship(service, party, { planId: id, ...over })
  const body = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(body))
  return body
}

export type SponsoredAuthorization = Sponsorship["authorizations"][number]

export const authorizationOf = ({ authorizations }: Sponsorship, position = 0): SponsoredAuthorization =>
  authorizations[position] ?? assert.fail("no such authorization")
