/** The plan on the page: loaded, checked in this browser, and shown; steps are worked on in their own panels. */
import type { Capabilities } from "../http/api/Capabilities.ts"
import type { Plan } from "../plans/Plan.ts"
import type { TokenFacts } from "../review/Amounts.ts"
import type { NamedToken } from "../review/ArgumentRows.ts"
import { committedFor } from "../review/CommittedFor.ts"
import type { Contracts } from "../review/ExplainCall.ts"
import { type Clone, clonesOf, contractsOf, proveClone, readToken, tokensOf } from "../review/GatherFacts.ts"
import type { PagePlace } from "../review/PagePath.ts"
import { type PlanReview, reviewPlan } from "../review/PlanReview.ts"
import type { Desk } from "./Desk.ts"
import { planView } from "./PlanView.ts"
import type { Stage } from "./Stage.ts"
import type { SignedStep } from "./StepPanel.ts"

export interface Reviewed {
  readonly plan: Plan
  readonly review: PlanReview
  /** `owner:…` or `bot:…`; undefined where the commitment fits nobody. */
  readonly principal: string | undefined
  /** What signed reads could still tell. */
  readonly unread: { readonly clones: ReadonlyArray<Clone>; readonly tokens: ReadonlyArray<NamedToken> }
}

export class PlanDesk {
  readonly stage: Stage
  readonly desk: Desk
  readonly capabilities: Capabilities
  /** Signed transactions by step, kept while the page is open. */
  readonly signed = new Map<number, SignedStep>()
  readonly #asked: string
  readonly #hint: string | undefined
  readonly #clones = new Map<string, boolean>()
  readonly #tokens = new Map<string, TokenFacts | undefined>()
  #bots: ReadonlyArray<string> | undefined
  #contracts: Contracts = new Map()
  #shown: string | undefined

  constructor(stage: Stage, desk: Desk, capabilities: Capabilities, asked: string, place: PagePlace) {
    this.stage = stage
    this.desk = desk
    this.capabilities = capabilities
    this.#asked = asked
    this.#hint = place.principal
  }

  async load(refresh: boolean): Promise<void> {
    await this.take(await this.desk.client.plans.show(this.#asked, { refresh }))
  }

  /** Checks a plan anew, wherever it came from, and shows it. */
  async take(plan: Plan): Promise<void> {
    this.#contracts = await contractsOf(this.desk.client.catalog, plan)
    this.#show(plan, await this.#principalOf(plan))
  }

  async lookUp({ plan, principal, unread }: Reviewed): Promise<void> {
    const { contracts } = this.desk.client
    for (const clone of unread.clones) this.#clones.set(clone.key, await proveClone(contracts, clone))
    for (const token of unread.tokens) this.#tokens.set(token.key, await readToken(contracts, token))
    this.#show(plan, principal)
  }

  nowMillis(): number {
    return this.desk.client.clock.seconds() * 1000
  }

  async #principalOf(plan: Plan): Promise<string | undefined> {
    const { client } = this.desk
    const likely = [client.principalId, ...(this.#hint === undefined ? [] : [this.#hint])]
    const found = await committedFor(plan, client.account, [...likely, ...(this.#bots ?? [])])
    if (found !== undefined || this.#bots !== undefined) return found
    this.#bots = (await client.bots.list()).map(({ id }) => `bot:${id}`)
    return committedFor(plan, client.account, this.#bots)
  }

  #show(plan: Plan, principal: string | undefined): void {
    const review = reviewPlan(plan, {
      asked: this.#asked,
      shownBefore: this.#shown,
      committedFor: principal,
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
    planView(this, { plan, review, principal, unread })
  }
}
