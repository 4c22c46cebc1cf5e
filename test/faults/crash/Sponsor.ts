/** A wallet that has others pay for one of its plans: it asks for the requests, signs them, and sees to it that they are published. */
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { approveSponsorship, type PublicationApproval } from "../../../src/client/OwnerApproval.ts"
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
const APPROVED_SECONDS = 300
/** Well before the owner's consent is over. */
const RENEWED_MILLIS = 200_000

const pause = () => new Promise<void>(resolve => setTimeout(resolve, POLL_MILLIS))

const isShut = ({ status }: Told): boolean => status === 401 || status === 403

/** Requests with the wallet's signatures. */
export interface Signed {
  readonly sponsorship: Sponsorship
  readonly signatures: ReadonlyArray<string>
}

/** The owner's consent to what a bot publishes: the same under the same key, while it lasts. */
const consenting = (url: string, owner: PrivateKeyAccount, grantId: string) => {
  const given = new Map<string, { readonly at: number; readonly approval: PublicationApproval }>()
  return async ({ sponsorship, signatures }: Signed, key: string): Promise<PublicationApproval> => {
    const known = given.get(key)
    if (known !== undefined && Date.now() - known.at < RENEWED_MILLIS) return known.approval
    const at = Date.now()
    const accountId = `eip155:31337:${owner.address.toLowerCase()}`
    const window = { issuedAt: Math.floor(at / 1000), windowSeconds: APPROVED_SECONDS }
    const approval = await approveSponsorship(owner, {
      ...{ audience: url, accountId, grantId, sponsorship, signatures },
      ...window
    })
    given.set(key, { at, approval })
    return approval
  }
}

/** By the wallet's owner, or by a bot of theirs. */
export const newSponsor = async (around: Surroundings, by: "owner" | "bot" = "owner") => {
  const { chainUrl, url } = around.world
  const owner = privateKeyToAccount(generatePrivateKey())
  const party = makeParty(walletOf(owner, chainUrl), around)
  await rpc(chainUrl, "anvil_setBalance", [owner.address, WEALTH])
  // Who reads at a block once another came after it sees what the block had when it was mined.
  await rpc(chainUrl, "evm_mine", [])
  await party.enroll()
  const role = by === "bot" ? await party.newBot() : party.self
  const { grantId } = role
  const { ask } = role.speaker
  const consent = grantId === undefined ? undefined : consenting(url, owner, grantId)

  const prepare = async (plan: Plan, key: string, to?: string): Promise<Signed> => {
    const asked = { route: "sponsor", method: "POST", target: "/api/v1/sponsorships", key } as const
    const { sponsorship, status, code } = await ask({ ...asked, body: { planId: plan.id }, to })
    if (sponsorship === undefined) throw new Error(`a sponsorship was refused: ${status} ${code}`)
    const { authorizations } = sponsorship
    const signatures = await Promise.all(authorizations.map(({ digest }) => owner.sign({ hash: digest })))
    return { sponsorship, signatures }
  }

  const publish = async (signed: Signed, key: string, to?: string): Promise<Told> => {
    const { sponsorship, signatures } = signed
    const target = `/api/v1/sponsorships/${sponsorship.id}/submissions`
    const approved = consent === undefined ? {} : { ownerApproval: await consent(signed, key) }
    return ask({ route: "publish", method: "POST", target, key, body: { signatures, ...approved }, to })
  }

  const shown = async (target: string, to?: string): Promise<Sponsorship> => {
    const asked = { route: "look", method: "GET", target, to } as const
    const told = await ask(asked)
    const { sponsorship, status, code } = isShut(told) ? await party.self.speaker.ask(asked) : told
    if (sponsorship !== undefined) return sponsorship
    if (code !== "CONCURRENT_UPDATE") throw new Error(`a sponsorship is not shown: ${status} ${code}`)
    await pause()
    return shown(target)
  }
  const look = ({ id }: Pick<Sponsorship, "id">) => shown(`/api/v1/sponsorships/${id}`)
  /** As its provider and its chain have it now. */
  const watch = ({ id }: Pick<Sponsorship, "id">, to?: string) =>
    shown(`/api/v1/sponsorships/${id}?refresh=true`, to)

  /** Under the same key, until it is known to be submitted, or its bot may publish it no more. */
  const seeToIt = async (signed: Signed, key: string): Promise<void> => {
    while ((await look(signed.sponsorship)).state === "prepared") {
      if (isShut(await publish(signed, key))) return
      await pause()
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
    create: () => party.create(role, party.draft(1)),
    /** Of the bot that publishes. */
    revoke: async () => {
      if (grantId !== undefined) await party.revoke(grantId)
    }
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
