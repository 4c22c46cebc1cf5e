/** A prepaid provider that takes everything at once, executes nothing, and keeps what was published to it. */
import { randomUUID } from "node:crypto"
import type { ProviderTransaction } from "../../src/sponsorship/PrepaidProvider.ts"
import { INSTANT_CHAIN, PAYMENTS_AT } from "./InstantForwarder.ts"

/** Later than any request's. */
const DEADLINE = 1_990_000_000

const paymentUntil = (payment_deadline: number) => ({
  chain: INSTANT_CHAIN,
  target: PAYMENTS_AT,
  token: "0x000000000000000000000000000000000000EEEe",
  amount: "2500000000000000",
  payment_deadline
})

interface Bundle {
  readonly ids: ReadonlyArray<string>
  readonly transactions: ReadonlyArray<ProviderTransaction>
}

const calldataFor = (bundle: string, deadline: number) =>
  `0x103903a7${bundle.replaceAll("-", "").padEnd(64, "0")}${deadline.toString(16).padStart(64, "0")}`

/** Its payments are due then. */
export const instantProvider = (deadline = DEADLINE) => {
  const askedFor = (bundle: string) => [
    { ...paymentUntil(deadline), calldata: calldataFor(bundle, deadline) }
  ]
  const publications: Array<{ readonly transactions: Bundle["transactions"] }> = []
  const bundles = new Map<string, Bundle>()
  const timesOf = new Map<string, number>()
  const publish = (text: string) => {
    const { transactions }: Pick<Bundle, "transactions"> = JSON.parse(text)
    publications.push({ transactions })
    for (const { data } of transactions) timesOf.set(data, (timesOf.get(data) ?? 0) + 1)
    const bundle = randomUUID()
    const ids = transactions.map(() => randomUUID())
    bundles.set(bundle, { ids, transactions })
    return { bundle_uuid: bundle, tx_uuids: ids, payment_info: askedFor(bundle) }
  }
  const show = (bundle: string) => {
    const { ids, transactions } = bundles.get(bundle) ?? { ids: [], transactions: [] }
    const status = { state: "Pending", data: null }
    return {
      bundle_uuid: bundle,
      transactions: transactions.map((request, index) => ({ tx_uuid: ids[index], request, status })),
      payment_info: askedFor(bundle)
    }
  }
  /** To a POST with a body, or to a GET. */
  const answer = (path: string, body: string): unknown =>
    body === "" ? show(path.split("/").at(-1) ?? "") : publish(body)
  /** How often the call of this request's `execute` left. */
  return { answer, publications, timesSent: (data: string) => timesOf.get(data) ?? 0 }
}

export type InstantProvider = ReturnType<typeof instantProvider>
