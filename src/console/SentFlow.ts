/** A wallet that sends by itself, from its being asked to the bytes that it sent; kept in the browser before anything is waited for. */
import { hashIn } from "../client/TransactionHash.ts"
import type { Plan } from "../plans/Plan.ts"
import type { PlanDesk } from "./PlanDesk.ts"
import { forgetSent, keepSent, recallSent, type SentRecord } from "./SentRecord.ts"
import { noHash, notFound, sentView } from "./SentStep.ts"
import type { SignedStep } from "./StepPanel.ts"
import { didNothing } from "./Wallet.ts"

const isHash = (record: SentRecord | undefined): boolean => record !== undefined && record !== "asked"

export class SentFlow {
  readonly #desk: PlanDesk
  readonly #plan: Plan
  readonly #index: number
  readonly #work: HTMLElement
  readonly #found: (signed: SignedStep) => Promise<void>

  constructor(
    desk: PlanDesk,
    plan: Plan,
    index: number,
    work: HTMLElement,
    found: (signed: SignedStep) => Promise<void>
  ) {
    this.#desk = desk
    this.#plan = plan
    this.#index = index
    this.#work = work
    this.#found = found
  }

  get #record(): SentRecord | undefined {
    return recallSent({ planId: this.#plan.id, step: this.#index })
  }

  /** Nothing else may be prepared for the step meanwhile. */
  get isSent(): boolean {
    return isHash(this.#record)
  }

  #keep(record: SentRecord): void {
    keepSent({ planId: this.#plan.id, step: this.#index }, record)
  }

  forget(): void {
    forgetSent({ planId: this.#plan.id, step: this.#index })
  }

  async send(ask: (asking: () => void) => Promise<string>): Promise<void> {
    const before = this.#record
    if (this.isSent) return this.show()
    const answer = await ask(() => this.#keep("asked")).catch((failure: unknown) => {
      if (before === undefined && didNothing(failure)) this.forget()
      throw failure
    })
    const hash = hashIn(answer)
    return hash === undefined ? this.#desk.stage.warn(noHash(answer)) : this.follow(hash)
  }

  /** What is kept of it, where something is. */
  show(): void {
    const record = this.#record
    if (record === undefined) return
    const { stage } = this.#desk
    const find = (hash: `0x${string}`) => stage.run("Looking for the transaction…", () => this.follow(hash))
    const forget = () =>
      stage.run("Forgetting…", () => {
        this.forget()
        return this.#desk.take(this.#plan)
      })
    this.#work.replaceChildren(...sentView(record, { find, forget }))
  }

  /** As far as a hash is kept. */
  async again(): Promise<void> {
    const record = this.#record
    if (record !== undefined && record !== "asked") await this.follow(record)
  }

  /** The step's where it is exactly the planned call. */
  async follow(hash: `0x${string}`): Promise<void> {
    const call = this.#plan.calls[this.#index]
    if (call === undefined) return
    if (!this.isSent) this.#keep(hash)
    this.show()
    const { stage, desk, signed } = this.#desk
    const { lookFor, sentOtherwise } = await import("./LookFor.ts")
    const check = await lookFor(desk.provider, hash, call, this.#plan.account)
    if (check === undefined) return stage.warn(notFound(hash))
    if (!check.fits) {
      if (this.#record === hash) this.forget()
      this.#work.replaceChildren()
      return stage.warn(sentOtherwise(hash, check.faults))
    }
    this.#keep(hash)
    const step = { raw: check.raw, rows: check.rows, idempotencyKey: crypto.randomUUID(), sent: hash }
    signed.set(this.#index, step)
    return this.#found(step)
  }
}
