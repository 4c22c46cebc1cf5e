/** Requests as the page of a review sends them, and assertions as its browser has the passkey make them. */
import { randomBytes } from "node:crypto"
import type { PaymentReview } from "../../../src/payments/PaymentReview.ts"
import { type Asserting, asserted } from "./Passkeys.ts"
import { type PilotBench, type PilotWallet, RP_ID } from "./PilotBench.ts"

type Service = Pick<PilotBench["service"], "url" | "audience">
type Served = { readonly service: Service }

interface Deciding {
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

/** Whose pages may do little in a minute. */
const anyAddress = (): string => `10.${randomBytes(3).join(".")}`

/** Host and origin are the service's own, by which its page was opened. */
export const decide = (
  { url, audience }: Service,
  id: string,
  act: "approve" | "cancel",
  body: unknown,
  { headers = {}, method = "POST" }: Deciding = {}
): Promise<Response> =>
  fetch(`${url}/wallet/payment-reviews/${id}/${act}`, {
    method,
    headers: {
      "content-type": "application/json",
      origin: audience,
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": anyAddress(),
      ...headers
    },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })

export const assertionFor = (
  { service }: Served,
  { passkey }: PilotWallet,
  { signing }: Pick<PaymentReview, "signing">,
  over: Partial<Asserting> = {}
) => asserted(passkey, { digest: signing.digest, origin: service.audience, rpId: RP_ID, ...over }).assertion

export const approve = (
  bench: Served,
  pilot: PilotWallet,
  review: Pick<PaymentReview, "id" | "signing">,
  over: Partial<Asserting> = {}
) => decide(bench.service, review.id, "approve", { assertion: assertionFor(bench, pilot, review, over) })

/** What its page says of it as it is by now. */
export const toldByPage = async ({ service }: Served, { id }: Pick<PaymentReview, "id">): Promise<string> => {
  const headers = { "x-forwarded-for": anyAddress() }
  return (await fetch(`${service.url}/wallet/payment-reviews/${id}`, { headers })).text()
}

export const cancel = ({ service }: Served, { id }: Pick<PaymentReview, "id">) =>
  decide(service, id, "cancel", {})
