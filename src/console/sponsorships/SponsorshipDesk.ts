/** One sponsorship as its page has it: read with its plan, computed anew, signed by the wallet and handed in. */
import { checkSponsorship } from "../../client/CheckSponsorship.ts"
import type { Client } from "../../client/Client.ts"
import { committedFor } from "../../client/Commitment.ts"
import { AlteredPlan, isRefusedBy, ServiceProblem } from "../../client/Errors.ts"
import { approveSponsorship } from "../../client/OwnerApproval.ts"
import { checkPayment, checkQuote } from "../../client/PayForSponsorship.ts"
import { signForwardRequests } from "../../client/SignForwardRequests.ts"
import type { Plan } from "../../plans/Plan.ts"
import { pagePath } from "../../review/PagePath.ts"
import { type Piece, type ReviewRow, row, toned, words } from "../../review/Words.ts"
import type { Sponsorship } from "../../sponsorship/Sponsorship.ts"
import type { Seat } from "../app/Seat.ts"
import type { AskingFor, TabGrant } from "../Desk.ts"
import { FailureTold, tell } from "../Failures.ts"
import { planLine } from "../plans/PlanLine.ts"
import { sentNamesOf } from "../SentRecord.ts"
import { WALLET_ASKED } from "../SentStep.ts"
import { askQuantity, chainIdOf } from "../Wallet.ts"

export interface CheckedSponsorship {
  readonly sponsorship: Sponsorship
  readonly plan: Plan
  /** What the plan does. */
  readonly does: ReadonlyArray<Piece>
  /** Who prepared it, as the commitments prove; undefined where they fit nobody. */
  readonly principal: string | undefined
  /** What is not as it is computed here: nothing is offered then. */
  readonly dangers: ReadonlyArray<string>
  readonly gasPrice: bigint | undefined
}

/** Handed in again as they are, with the same key. */
export interface SignedRequests {
  readonly signatures: ReadonlyArray<string>
  readonly idempotencyKey: string
}

/** By the owner, for this tab to hand in. */
interface ApprovedRequests {
  readonly signed: SignedRequests
  readonly body: {
    readonly signatures: ReadonlyArray<string>
    readonly ownerApproval: Awaited<ReturnType<typeof approveSponsorship>>
  }
  readonly idempotencyKey: string
}

const APPROVAL_SECONDS = 300

const WHY_OWNER = row(
  "why the wallet",
  words("this tab did not prepare it, and the service shows it to its owner and to who prepared it alone")
)
const WHY_BOTS = row("why", words("it is not one of your own, so your bots are looked up"))

const isAbsent = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.code === "SPONSORSHIP_NOT_FOUND"

/** By the wallet itself, or perhaps: another tab may have asked it since the page was drawn. */
const refuseSent = ({ id }: Plan): void => {
  if (sentNamesOf(id).length > 0) throw new FailureTold(WALLET_ASKED)
}

const unlikeFirst = (first: string | undefined, { commitment }: Sponsorship): ReadonlyArray<string> =>
  first === undefined || first === commitment
    ? []
    : ["Its commitment is another than when this page first showed it."]

export class SponsorshipDesk {
  readonly #seat: Seat
  readonly #id: string
  #plan: Plan | undefined
  #bots: ReadonlyArray<string> = []
  #principal: string | undefined
  #first: string | undefined
  #signatures: ReadonlyArray<string> | undefined
  #made: Record<string, string> = {}
  #approval: ApprovedRequests | undefined
  readonly #fundingKey = crypto.randomUUID()

  constructor(seat: Seat, id: string) {
    this.#seat = seat
    this.#id = id
  }

  nowMillis(): number {
    return this.#seat.desk.owner.clock.seconds() * 1000
  }

  /** Who may read it without a question; undefined where only the wallet may ask. */
  get silentReader(): Client | undefined {
    const { grant } = this.#seat.desk
    return grant !== undefined && grant.client.principalId === this.#principal ? grant.client : undefined
  }

  /** As it is stored, or with `refresh` as its provider and its chains have it now. */
  async read(refresh = false): Promise<CheckedSponsorship> {
    const { reader, sponsorship } = await this.#find(refresh)
    this.#plan ??= await reader.plans.show(sponsorship.planId)
    return this.#checked(sponsorship, this.#plan)
  }

  /** By the tab alone. */
  async follow(before: CheckedSponsorship): Promise<CheckedSponsorship> {
    const reader = this.silentReader
    if (reader === undefined) return before
    return this.#checked(await reader.sponsorships.show(this.#id, { refresh: true }), before.plan)
  }

  /** Why nothing is to be signed here. */
  obstacle({ plan, principal, dangers }: CheckedSponsorship): string | undefined {
    const { owner, grant } = this.#seat.desk
    if (dangers.length > 0) return "Nothing of it is to be signed."
    if (sentNamesOf(plan.id).length > 0) return `${WALLET_ASKED.title}: look there first.`
    return principal === owner.principalId || principal === grant?.client.principalId
      ? undefined
      : "A bot prepared it, so the bot hands it in: sign and approve it where the bot runs."
  }

  async sign({ sponsorship, plan, does, principal = "" }: CheckedSponsorship): Promise<SignedRequests> {
    const { desk } = this.#seat
    refuseSent(plan)
    const client = this.#checking(principal)
    const signatures = await desk.about([toned("sentence", row("does", ...does))], ({ signer }) =>
      signForwardRequests(signer, { client, plan, sponsorship }, this.#made)
    )
    this.#signatures = signatures
    return { signatures, idempotencyKey: crypto.randomUUID() }
  }

  /** Refused as another's: the wallet is asked anew. */
  forgetSignatures(): void {
    this.#made = {}
    this.#signatures = undefined
  }

  /** As who prepared it: the owner by the wallet's signature, this tab by its own with the owner's approval. */
  async handIn(checked: CheckedSponsorship, signed: SignedRequests): Promise<Sponsorship> {
    const { desk } = this.#seat
    const { sponsorship, plan, does, principal } = checked
    refuseSent(plan)
    const about: ReadonlyArray<ReviewRow> = [toned("sentence", row("does", ...does))]
    const { grant } = desk
    const { idempotencyKey, signatures } = signed
    const byOwner = ({ owner }: AskingFor) =>
      owner.sponsorships.submit(sponsorship.id, { signatures }, { idempotencyKey })
    const answer =
      grant === undefined || principal !== grant.client.principalId
        ? await desk.about(about, byOwner)
        : await this.#handInBy(grant, checked, signed)
    return answer.sponsorship
  }

  /** The very bytes of before while their approval lives; a repeat by another one is told what became of them. */
  async #handInBy({ client, grantId }: TabGrant, checked: CheckedSponsorship, signed: SignedRequests) {
    const { id } = checked.sponsorship
    const { idempotencyKey, body } = await this.#approved(grantId, checked, signed)
    refuseSent(checked.plan)
    try {
      return await client.sponsorships.submit(id, body, { idempotencyKey })
    } catch (failure) {
      const sponsorship = isRefusedBy(failure, "SPONSORSHIP_CONFLICT")
        ? await client.sponsorships.show(id)
        : undefined
      if (sponsorship?.submission === undefined) throw failure
      return { sponsorship }
    }
  }

  async #approved(grantId: string, checked: CheckedSponsorship, signed: SignedRequests) {
    const before = this.#approval
    const now = this.#seat.desk.owner.clock.seconds()
    if (before?.signed === signed && before.body.ownerApproval.expiresAt > now) return before
    const ownerApproval = await this.#approve(grantId, checked, signed)
    const { signatures } = signed
    this.#approval = { signed, body: { signatures, ownerApproval }, idempotencyKey: crypto.randomUUID() }
    return this.#approval
  }

  /** What was handed in is so, whether or not the answer can be checked. */
  handedIn({ plan }: CheckedSponsorship, sponsorship: Sponsorship): Promise<CheckedSponsorship> {
    return this.#checked(sponsorship, plan).catch((failure: unknown) => {
      const told = tell(failure)
      throw new FailureTold({
        ...told,
        title: `The requests were handed in; the answer was not read: ${told.title}`,
        advice: "Look again to see what became of them."
      })
    })
  }

  /** The path of the plan that pays, which is the owner's own. */
  async fund({ sponsorship, plan: { account } }: CheckedSponsorship, chainId: number): Promise<string> {
    const { owner } = this.#seat.desk
    const body = { chainId, payer: account }
    const { plan } = await owner.sponsorships.createFundingPlan(sponsorship.id, body, {
      idempotencyKey: this.#fundingKey
    })
    checkPayment(sponsorship, plan)
    return this.pathOf(plan.id)
  }

  pathOf(planId: string): string {
    return pagePath(planId, this.#seat.desk.owner.account, undefined)
  }

  #approve(grantId: string, { sponsorship, does }: CheckedSponsorship, { signatures }: SignedRequests) {
    const { desk } = this.#seat
    const about = [
      toned("sentence", row("does", ...does)),
      row("the bot is", words("this tab, in which you are signed in"))
    ]
    return desk.about(about, async ({ signer }) =>
      approveSponsorship(signer, {
        audience: await desk.owner.audience(),
        accountId: desk.owner.account,
        grantId,
        sponsorship,
        signatures,
        issuedAt: desk.owner.clock.seconds(),
        windowSeconds: APPROVAL_SECONDS
      })
    )
  }

  async #find(refresh: boolean): Promise<{ readonly reader: Client; readonly sponsorship: Sponsorship }> {
    const { desk } = this.#seat
    const { grant, owner } = desk
    const read = async (reader: Client) => ({
      reader,
      sponsorship: await reader.sponsorships.show(this.#id, { refresh })
    })
    const isOwn = this.#principal === undefined || this.silentReader !== undefined
    if (grant !== undefined && isOwn)
      try {
        return await read(grant.client)
      } catch (failure) {
        if (!isAbsent(failure)) throw failure
      }
    return grant === undefined ? read(owner) : desk.about([WHY_OWNER], asking => read(asking.owner))
  }

  async #principalOf(plan: Plan): Promise<string | undefined> {
    const { desk } = this.#seat
    const { owner, grant } = desk
    const known = [owner.principalId, ...(grant === undefined ? [] : [grant.client.principalId])]
    const found = await committedFor(plan, owner.account, [...known, ...this.#bots])
    if (found !== undefined || this.#bots.length > 0) return found
    const bots = await desk.about([WHY_BOTS], asking => asking.owner.bots.list())
    this.#bots = bots.map(({ id }) => `bot:${id}`)
    return committedFor(plan, owner.account, this.#bots)
  }

  #checking(principalId: string) {
    const { account, catalog, clock } = this.#seat.desk.owner
    return { account, principalId, catalog, clock }
  }

  async #altered(plan: Plan, sponsorship: Sponsorship): Promise<ReadonlyArray<string>> {
    if (sponsorship.id !== this.#id) return ["It is another sponsorship than the one that was asked for."]
    try {
      await checkSponsorship({ client: this.#checking(this.#principal ?? ""), plan, sponsorship })
      if (sponsorship.quote?.payments.length) await checkQuote(sponsorship, this.#signatures)
      return []
    } catch (failure) {
      if (failure instanceof AlteredPlan) return [failure.message]
      throw failure
    }
  }

  /** Of the wallet's node, where it is on the requests' one chain. */
  async #gasPrice({ authorizations }: Sponsorship): Promise<bigint | undefined> {
    const { provider } = this.#seat.desk
    const [first, ...others] = new Set(authorizations.map(({ chainId }) => chainId))
    if (others.length > 0) return undefined
    const price = async () =>
      (await chainIdOf(provider)) === first ? await askQuantity(provider, "eth_gasPrice") : undefined
    return price().catch(() => undefined)
  }

  async #checked(sponsorship: Sponsorship, plan: Plan): Promise<CheckedSponsorship> {
    const { desk, capabilities } = this.#seat
    this.#principal ??= await this.#principalOf(plan)
    const principals = this.#principal === undefined ? [] : [this.#principal]
    const dangers = [...(await this.#altered(plan, sponsorship)), ...unlikeFirst(this.#first, sponsorship)]
    this.#first ??= sponsorship.commitment
    return {
      sponsorship,
      plan,
      does: await planLine(desk.owner, capabilities, plan, principals, this.nowMillis()),
      principal: this.#principal,
      dangers,
      gasPrice: await this.#gasPrice(sponsorship)
    }
  }
}
