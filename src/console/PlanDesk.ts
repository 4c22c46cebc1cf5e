/** The plan on the page: loaded, checked in this browser, and shown; steps are worked on in their own panels. */
import type { Client } from "../client/Client.ts"
import { committedFor } from "../client/Commitment.ts"
import { ServiceProblem } from "../client/Errors.ts"
import type { Capabilities } from "../http/api/Capabilities.ts"
import type { Plan } from "../plans/Plan.ts"
import type { TokenFacts } from "../review/Amounts.ts"
import type { NamedToken } from "../review/ArgumentRows.ts"
import type { Contracts } from "../review/ExplainCall.ts"
import { type Clone, clonesOf, contractsOf, proveClone, readToken, tokensOf } from "../review/GatherFacts.ts"
import type { PagePlace } from "../review/PagePath.ts"
import { type PlanReview, reviewPlan } from "../review/PlanReview.ts"
import { type ReviewRow, row, words } from "../review/Words.ts"
import type { Seat } from "./app/Seat.ts"
import type { Desk } from "./Desk.ts"
import { PlanPageView } from "./PlanView.ts"
import type { SentRecord } from "./SentRecord.ts"
import type { SignedStep } from "./SignedPanel.ts"
import type { Stage } from "./Stage.ts"

export interface Reviewed {
  readonly plan: Plan
  readonly review: PlanReview
  /** `owner:…` or `bot:…`; undefined where the commitment fits nobody. */
  readonly principal: string | undefined
  /** What signed reads could still tell. */
  readonly unread: { readonly clones: ReadonlyArray<Clone>; readonly tokens: ReadonlyArray<NamedToken> }
}

const WHY_OWNER = row(
  "why the wallet",
  words(
    "this tab did not prepare the plan, and the service shows it to its owner and to who prepared it alone"
  )
)

const WHY_AGAIN = row("why", words("the step may have left meanwhile, from another device for instance"))

const WHY_BOTS = row("why", words("the plan is not one of your own, so your bots are looked up"))

const isAbsent = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.code === "PLAN_NOT_FOUND"

const standing = ({ commitment, restoredAt, steps }: Plan, index: number): string => {
  const { state, transaction, execution } = steps[index] ?? {}
  return JSON.stringify([commitment, restoredAt, state, transaction, execution])
}

export class PlanDesk {
  readonly stage: Stage
  readonly desk: Desk
  readonly capabilities: Capabilities
  readonly go: (path: string) => void
  /** Signed transactions by step, kept while the page is open. */
  readonly signed = new Map<number, SignedStep>()
  /** What the person was told that is kept of a step's sending. */
  readonly told = new Map<number, SentRecord>()
  /** When a step was seen to be due to be sent, in milliseconds; until the wallet is asked. */
  readonly due = new Map<number, number>()
  readonly #asked: string
  readonly #hint: string | undefined
  readonly #clones = new Map<string, boolean>()
  readonly #tokens = new Map<string, TokenFacts | undefined>()
  #bots: ReadonlyArray<string> | undefined
  #contracts: Contracts = new Map()
  #shown: string | undefined
  #view: PlanPageView | undefined
  #isLeft = false
  /** Who prepared it, as far as it is known. */
  #principal: string | undefined

  constructor(stage: Stage, { desk, capabilities, go }: Omit<Seat, "run">, asked: string, place: PagePlace) {
    this.stage = stage
    this.desk = desk
    this.capabilities = capabilities
    this.go = go
    this.#asked = asked
    this.#hint = place.principal
    this.#principal = place.principal
  }

  async load(refresh: boolean): Promise<void> {
    await this.take(await this.#read(refresh))
  }

  /** Checks a plan anew, wherever it came from, and shows it. */
  async take(plan: Plan): Promise<void> {
    if (this.#isLeft) return
    this.#contracts = await contractsOf(this.desk.client.catalog, plan)
    this.#principal = await this.#principalOf(plan)
    await this.#lookUpUnasked(plan)
    this.#show(plan)
  }

  /** The same for what was seen meanwhile: it changes what is on the page, and moves no focus. */
  async follow(plan: Plan): Promise<void> {
    this.#contracts = await contractsOf(this.desk.client.catalog, plan)
    const reviewed = this.#reviewed(plan, await committedFor(plan, this.desk.owner.account, this.#known()))
    if (reviewed.review.dangers.length > 0) this.#show(plan)
    else this.#view?.update(reviewed)
  }

  /** Whether the service tells of these steps what the page shows; what it tells otherwise is shown. */
  async isAsShown(plan: Plan, indexes: ReadonlyArray<number>, refresh = false): Promise<Plan | undefined> {
    const now = await this.#read(refresh, WHY_AGAIN)
    if (indexes.every(index => standing(now, index) === standing(plan, index))) return now
    await this.take(now)
    return undefined
  }

  async lookUp({ plan, unread }: Reviewed): Promise<void> {
    await this.#learn(this.desk.client, unread)
    this.#show(plan)
  }

  leave(): void {
    this.#isLeft = true
    this.#view?.leave()
  }

  /** What is under way then is kept, and nothing more is asked for it. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  nowMillis(): number {
    return this.desk.owner.clock.seconds() * 1000
  }

  /** Who may read the plan without a question; undefined where only the wallet may ask. */
  get silentReader(): Client | undefined {
    const { grant } = this.desk
    return grant?.client.principalId === this.#principal ? grant?.client : undefined
  }

  get reader(): Client {
    return this.silentReader ?? this.desk.owner
  }

  async #learn({ contracts }: Client, { clones, tokens }: Reviewed["unread"]): Promise<void> {
    for (const clone of clones) this.#clones.set(clone.key, await proveClone(contracts, clone))
    for (const token of tokens) this.#tokens.set(token.key, await readToken(contracts, token))
  }

  /** What a tab that is signed in asks for without a question; what it cannot learn is left to the person. */
  async #lookUpUnasked(plan: Plan): Promise<void> {
    const { grant } = this.desk
    if (grant === undefined) return
    const { unread, review } = this.#reviewed(plan, this.#principal)
    const tokens = [...unread.tokens, ...review.unnamed]
    await this.#learn(grant.client, { ...unread, tokens }).catch(() => {})
  }

  /** The tab's own plan is read without a question; another is the owner's to ask for. */
  async #read(refresh: boolean, ...why: ReadonlyArray<ReviewRow>): Promise<Plan> {
    const { grant } = this.desk
    const read = (client: Client) => client.plans.show(this.#asked, { refresh })
    const byOwner = (...about: ReadonlyArray<ReviewRow>) => this.desk.about(about, ({ owner }) => read(owner))
    if (grant === undefined) return byOwner(...why)
    if (this.#principal === undefined)
      try {
        return await read(grant.client)
      } catch (failure) {
        if (!isAbsent(failure)) throw failure
      }
    const silent = this.silentReader
    return silent === undefined ? byOwner(WHY_OWNER, ...why) : read(silent)
  }

  #known(): ReadonlyArray<string> {
    const { owner, grant } = this.desk
    const likely = [owner.principalId, grant?.client.principalId, this.#hint, this.#principal]
    return [...new Set(likely.flatMap(each => each ?? []))]
  }

  async #principalOf(plan: Plan): Promise<string | undefined> {
    const { owner } = this.desk
    const found = await committedFor(plan, owner.account, [...this.#known(), ...(this.#bots ?? [])])
    if (found !== undefined || this.#bots !== undefined) return found
    const bots = await this.desk.about([WHY_BOTS], asking => asking.owner.bots.list())
    this.#bots = bots.map(({ id }) => `bot:${id}`)
    return committedFor(plan, owner.account, this.#bots)
  }

  #reviewed(plan: Plan, principal: string | undefined): Reviewed {
    const review = reviewPlan(plan, {
      asked: this.#asked,
      shownBefore: this.#shown,
      committedFor: principal,
      reader: this.desk.grant?.client.principalId,
      contracts: this.#contracts,
      chains: new Map(this.capabilities.chains.map(({ id, name }) => [id, name])),
      tokens: this.#tokens,
      clones: this.#clones,
      now: this.nowMillis()
    })
    this.#shown ??= plan.commitment
    const unread = {
      clones: clonesOf(this.#contracts, plan).filter(({ key }) => !this.#clones.has(key)),
      tokens: tokensOf(this.#contracts, plan).filter(({ key }) => !this.#tokens.has(key))
    }
    return { plan, review, principal, unread }
  }

  #show(plan: Plan): void {
    if (this.#isLeft) return
    this.#view?.leave()
    this.#view = new PlanPageView(this, this.#reviewed(plan, this.#principal))
  }
}
