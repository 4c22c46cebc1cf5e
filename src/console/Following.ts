/** What becomes of a plan's steps, by itself: through the service while the tab may read the plan, through the wallet's node otherwise. */
import { isSettled } from "../client/WatchPlan.ts"
import type { Plan, Step } from "../plans/Plan.ts"
import { lookAtChain } from "./ChainLook.ts"
import { el } from "./Elements.ts"
import { tell } from "./Failures.ts"
import { startFollowing } from "./Follower.ts"
import type { PlanDesk } from "./PlanDesk.ts"
import { type ChainLook, progressOf } from "./ProgressWords.ts"
import { sentHash } from "./SentRecord.ts"
import { chainIdOf } from "./Wallet.ts"

const SAYS_NODE =
  "Followed through the wallet's node. The service is asked with your signature: look at the chain again."

export class Following {
  readonly view: HTMLElement
  readonly #desk: PlanDesk
  readonly #list = el("ol", {})
  readonly #note = el("p", { class: "note" })
  readonly #looks = new Map<number, ChainLook>()
  #plan: Plan
  #end = () => {}

  constructor(desk: PlanDesk, plan: Plan) {
    this.#desk = desk
    this.#plan = plan
    const said = el("div", { role: "status", "aria-atomic": "false" }, this.#list, this.#note)
    this.view = el("section", { class: "progress" }, el("h3", {}, "What is happening"), said)
    this.#show()
    if (this.#watched().length > 0 && !this.#isOver())
      this.#end = startFollowing({
        look: () => this.#look(),
        failed: (failure, seconds) => {
          this.#note.textContent = `${tell(failure).title}. Looking again in ${seconds} s.`
        }
      })
  }

  stop(): void {
    this.#end()
  }

  #hashOf({ index, transaction }: Step): string | undefined {
    return transaction?.hash ?? sentHash({ planId: this.#plan.id, step: index })
  }

  #watched(): ReadonlyArray<Step> {
    return this.#plan.steps.filter(step => this.#hashOf(step) !== undefined)
  }

  #needed(chainId: number | undefined): number {
    const { chains } = this.#desk.capabilities
    return chains.find(({ id }) => id === chainId)?.confirmations ?? 1
  }

  #isOver(): boolean {
    const isUnbound = this.#watched().some(({ transaction }) => transaction === undefined)
    return !isUnbound && isSettled(this.#plan, this.#desk.nowMillis())
  }

  async #look(): Promise<"changed" | "same" | "over"> {
    const before = this.#list.textContent
    const reader = this.#desk.silentReader
    this.#note.textContent = reader === undefined ? SAYS_NODE : ""
    if (reader === undefined) await this.#lookAtNode()
    else {
      this.#plan = await reader.plans.show(this.#plan.id, { refresh: true })
      await this.#desk.follow(this.#plan)
    }
    this.#show()
    if (reader === undefined ? this.#isSeenByNode() : this.#isOver()) return "over"
    return this.#list.textContent === before ? "same" : "changed"
  }

  async #lookAtNode(): Promise<void> {
    const { provider } = this.#desk.desk
    const connected = await chainIdOf(provider)
    for (const step of this.#watched()) {
      const hash = this.#hashOf(step)
      if (hash !== undefined && this.#plan.calls[step.index]?.chainId === connected)
        this.#looks.set(step.index, await lookAtChain(provider, hash))
    }
  }

  /** More than that is only the service's to say. */
  #isSeenByNode(): boolean {
    return this.#watched().every(({ index, state }) => {
      const look = this.#looks.get(index)
      const needed = this.#needed(this.#plan.calls[index]?.chainId)
      return state === "confirmed" || (look?.confirmations ?? 0) >= needed
    })
  }

  #lines(): ReadonlyArray<{ readonly words: string; readonly tone: string }> {
    return this.#plan.steps.flatMap(step => {
      const watched = {
        step,
        needed: this.#needed(this.#plan.calls[step.index]?.chainId),
        look: this.#looks.get(step.index),
        isUnbound: step.transaction === undefined && this.#hashOf(step) !== undefined
      }
      const name = this.#plan.steps.length === 1 ? "" : `Step ${step.index}: `
      return progressOf(watched).map(({ words, tone }) => ({ words: `${name}${words}`, tone }))
    })
  }

  /** Only what changed is said anew. */
  #show(): void {
    const lines = this.#lines()
    this.view.hidden = lines.length === 0
    lines.forEach(({ words, tone }, at) => {
      const item = this.#list.children[at] ?? this.#list.appendChild(el("li", {}))
      if (item.textContent !== words) item.textContent = words
      item.className = tone
    })
    for (const extra of [...this.#list.children].slice(lines.length)) extra.remove()
  }
}
