/** A wallet that has others pay for one of its plans: it asks for the requests, signs them, and sees to it that they are published. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../../src/values/ForwardRequest.ts"
import { rpc } from "../../support/Rpc.ts"
import type { Publication } from "../sponsored/ProviderProxy.ts"
import { type Draft, makeParty, type Surroundings } from "./Party.ts"
import { newKey } from "./Speaker.ts"
import type { Told } from "./Told.ts"
import { walletOf } from "./Wallet.ts"

const WEALTH = `0x${(10n ** 20n).toString(16)}`
const POLL_MILLIS = 30

/** Requests with the wallet's signatures. */
export interface Signed {
  readonly sponsorship: Sponsorship
  readonly signatures: ReadonlyArray<string>
}

export const newSponsor = async (around: Surroundings) => {
  const { chainUrl } = around.world
  const owner = privateKeyToAccount(generatePrivateKey())
  const party = makeParty(walletOf(owner, chainUrl), around)
  await rpc(chainUrl, "anvil_setBalance", [owner.address, WEALTH])
  await party.enroll()
  const { ask } = party.self.speaker

  const prepare = async (plan: Plan, key: string, to?: string): Promise<Signed> => {
    const asked = { route: "sponsor", method: "POST", target: "/api/v1/sponsorships", key } as const
    const { sponsorship, status, code } = await ask({ ...asked, body: { planId: plan.id }, to })
    if (sponsorship === undefined) throw new Error(`a sponsorship was refused: ${status} ${code}`)
    const { authorizations } = sponsorship
    const signatures = await Promise.all(authorizations.map(({ digest }) => owner.sign({ hash: digest })))
    return { sponsorship, signatures }
  }

  const publish = ({ sponsorship: { id }, signatures }: Signed, key: string, to?: string): Promise<Told> => {
    const target = `/api/v1/sponsorships/${id}/submissions`
    return ask({ route: "publish", method: "POST", target, key, body: { signatures }, to })
  }

  const shown = async (target: string, to?: string): Promise<Sponsorship> => {
    const { sponsorship, status } = await ask({ route: "look", method: "GET", target, to })
    if (sponsorship === undefined) throw new Error(`a sponsorship is not shown: ${status}`)
    return sponsorship
  }
  const look = ({ id }: Pick<Sponsorship, "id">) => shown(`/api/v1/sponsorships/${id}`)
  /** As its provider and its chain have it now. */
  const watch = ({ id }: Pick<Sponsorship, "id">, to?: string) =>
    shown(`/api/v1/sponsorships/${id}?refresh=true`, to)

  /** Under the same key, until it is known to be submitted. */
  const seeToIt = async (signed: Signed, key: string): Promise<void> => {
    while ((await look(signed.sponsorship)).state === "prepared") {
      await publish(signed, key)
      await new Promise(resolve => setTimeout(resolve, POLL_MILLIS))
    }
  }
  /** The plan by which the owner pays for it. */
  const funding = ({ id }: Pick<Sponsorship, "id">): Draft => ({
    key: newKey(),
    target: `/api/v1/sponsorships/${id}/funding-plans`,
    body: { chainId: 31337, payer: owner.address }
  })
  return {
    party,
    funding,
    prepare,
    publish,
    look,
    watch,
    seeToIt,
    create: () => party.create(party.self, party.draft(1))
  }
}

export type Sponsor = Awaited<ReturnType<typeof newSponsor>>

/** What left for the provider of it, if anything did. */
export const publicationOf = (
  publications: ReadonlyArray<Publication>,
  { sponsorship: { authorizations }, signatures }: Signed
): Publication | undefined => {
  const [first] = authorizations
  const data = first === undefined ? undefined : executeCalldata(first.message, signatures[0] ?? "0x")
  return publications.findLast(({ transactions }) =>
    transactions.some(sent => sent.data === data?.toLowerCase())
  )
}
