/** A wallet that sends by itself, from its being asked to the bytes that it sent; kept in the browser before anything is waited for. */
import type { Client } from "../client/Client.ts"
import { isRefusedBy } from "../client/Errors.ts"
import { hashIn } from "../client/TransactionHash.ts"
import type { Plan } from "../plans/Plan.ts"
import { row, words } from "../review/Words.ts"
import type { ToldFailure } from "./Failures.ts"
import { forgetKeys, type KeptKey, keptKeyOf } from "./KeptKeys.ts"
import type { PlanDesk } from "./PlanDesk.ts"
import type { SendChecks } from "./SendTransaction.ts"
import { forgetSent, isOwnRecord, keepSent, recallSent, type SentRecord, sentHash } from "./SentRecord.ts"
import {
  CHANGED,
  forgetView,
  isStored,
  NOT_DUE,
  NOT_KEPT,
  nodeHasIt,
  noHash,
  notFound,
  sentView
} from "./SentStep.ts"
import type { SignedStep } from "./SignedPanel.ts"
import { keepPaying, payingPlan, sponsorshipPaidBy } from "./sponsorships/PaidSponsorship.ts"
import { didNothing } from "./Wallet.ts"

/** Where wallet and account are of different chains, the wallet signs the reading by one and sends by the other. */
const SWITCHING_MS = 60_000

/** The question that each step was last asked by: the wallet may still hold an earlier one. */
const latest = new Map<string, symbol>()

const WHY_PAID = row("why", words("the payment may have been made meanwhile, by another plan for instance"))

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

  get #step() {
    return { planId: this.#plan.id, step: this.#index }
  }

  get #key(): string {
    return `${this.#plan.id}:${this.#index}`
  }

  get #record(): SentRecord | undefined {
    return recallSent(this.#step)
  }

  #keep(record: SentRecord): void {
    const { silentReader, desk } = this.#desk
    const key = silentReader === undefined ? undefined : desk.grant?.kept
    keepSent(this.#step, record, key)
  }

  /** As the tab that sent it, which this one is not. */
  get #other(): KeptKey | undefined {
    const { silentReader } = this.#desk
    const now = this.#desk.nowMillis() / 1000
    forgetKeys(({ expiresAt }) => expiresAt <= now)
    return silentReader === undefined ? keptKeyOf(this.#plan.id, now) : undefined
  }

  async send(ask: (checks: SendChecks) => Promise<string | undefined>): Promise<void> {
    const before = this.#record
    if (this.#isNews) return this.show()
    const question = Symbol()
    const begins = () => {
      const isAsked = this.#begins()
      if (isAsked) latest.set(this.#key, question)
      return isAsked
    }
    const answer = await ask({ isDue: () => this.#isDue(), begins }).catch((failure: unknown) => {
      if (!didNothing(failure)) this.show()
      else if (before === undefined && this.#isOnlyAsked(question)) forgetSent(this.#step)
      throw failure
    })
    if (answer === undefined) return
    const hash = hashIn(answer)
    if (hash !== undefined) {
      this.#keep(hash)
      return this.follow(hash)
    }
    this.show()
    this.#desk.stage.warn(noHash(answer))
  }

  /** By this question alone, to which a no is then the answer. */
  #isOnlyAsked(question: symbol): boolean {
    return latest.get(this.#key) === question && this.#record === "asked" && isOwnRecord(this.#step)
  }

  /** Whether more is kept of it than the person was told. */
  get #isNews(): boolean {
    const record = this.#record
    return (
      sentHash(this.#step) !== undefined ||
      (record !== undefined && this.#desk.told.get(this.#index) !== record)
    )
  }

  #isOver({ expiresAt }: Plan): boolean {
    return expiresAt <= this.#desk.nowMillis()
  }

  /** Since the page showed it, it may have left from another device or another tab. */
  async #isDue(): Promise<boolean> {
    const { due, stage } = this.#desk
    const isFresh = this.#desk.nowMillis() - (due.get(this.#index) ?? 0) < SWITCHING_MS
    if (isFresh && !this.#isOver(this.#plan)) return true
    const isDependent = (this.#plan.calls[this.#index]?.dependsOn.length ?? 0) > 0
    const now = await this.#desk.isAsShown(this.#plan, [this.#index], isDependent)
    if (now === undefined || now.status === "expired" || this.#isOver(now)) {
      if (now !== undefined) await this.#desk.take(now)
      stage.warn(CHANGED)
      return false
    }
    if (!(await this.#isPayable())) {
      stage.warn(NOT_DUE)
      return false
    }
    due.set(this.#index, this.#desk.nowMillis())
    return true
  }

  /** Of what pays for a sponsorship no other plan may have paid, from another device either. */
  async #isPayable(): Promise<boolean> {
    const id = sponsorshipPaidBy(this.#plan)
    if (id === undefined) return true
    const { desk } = this.#desk
    const read = (client: Client) => client.sponsorships.show(id)
    const byOwner = () => desk.about([WHY_PAID], ({ owner }) => read(owner))
    const { nextAction, funding } =
      desk.grant === undefined
        ? await byOwner()
        : await read(desk.grant.client).catch((failure: unknown) => {
            if (isRefusedBy(failure, "SPONSORSHIP_NOT_FOUND")) return byOwner()
            throw failure
          })
    return nextAction.kind === "submit" && funding?.planId === this.#plan.id
  }

  #begins(): boolean {
    if (this.#desk.isLeft) return false
    this.#desk.due.delete(this.#index)
    if (this.#isOver(this.#plan)) {
      this.#desk.stage.warn(CHANGED)
      return false
    }
    const paid = sponsorshipPaidBy(this.#plan)
    const paying = paid && payingPlan(paid)
    if (paying !== undefined && paying !== this.#plan.id) {
      this.#desk.stage.warn(NOT_DUE)
      return false
    }
    if (this.#isNews) {
      this.show()
      return false
    }
    const before = this.#record
    this.#keep("asked")
    if (!isStored(this.#step)) {
      if (before === undefined) forgetSent(this.#step)
      this.#desk.stage.warn(NOT_KEPT)
      return false
    }
    if (paid !== undefined) keepPaying(paid, this.#plan.id)
    return true
  }

  /** What is kept of it, where something is. */
  show(): void {
    const record = this.#record
    if (record === undefined) return
    const { stage, told } = this.#desk
    told.set(this.#index, record)
    const find = (hash: `0x${string}`) => stage.run("Looking for the transaction…", () => this.follow(hash))
    const forget = (hash: `0x${string}`) => stage.run("Looking for it…", () => this.#mayForget(hash))
    const other = this.#other
    const proceed = other && (() => stage.run("Waiting for the wallet…", () => this.#continue(other)))
    this.#work.replaceChildren(...sentView(record, { find, forget, proceed, isStored: isStored(this.#step) }))
  }

  /** Where the wallet's node does not know it, and the person says so once more. */
  async #mayForget(hash: `0x${string}`): Promise<void> {
    const { stage, desk } = this.#desk
    const { isKnown } = await import("./LookFor.ts")
    const chainId = this.#plan.calls[this.#index]?.chainId
    if (chainId === undefined) return
    if (await isKnown(desk.provider, hash, chainId)) return stage.warn(nodeHasIt(hash))
    this.show()
    this.#work.append(...forgetView(() => stage.run("Forgetting…", () => this.#forget(hash))))
  }

  async #forget(hash: string): Promise<void> {
    if (this.#record === hash) forgetSent(this.#step)
    await this.#desk.take(this.#plan)
  }

  async #continue(key: KeptKey): Promise<void> {
    const { continueWith } = await import("./app/Continue.ts")
    await continueWith(this.#desk.desk, this.#plan.id, key)
    await this.#desk.load(true)
  }

  /** As far as a hash is kept. */
  async again(): Promise<void> {
    const hash = sentHash(this.#step)
    if (hash !== undefined) await this.follow(hash)
  }

  /** What is not the step's after all. */
  #leaves(hash: string, before: SentRecord | undefined, told: ToldFailure): void {
    if (this.#record === hash) {
      if (before === undefined) forgetSent(this.#step)
      else this.#keep("asked")
    }
    this.#work.replaceChildren()
    this.show()
    this.#desk.stage.warn(told)
  }

  /** The step's where it is exactly the planned call; where what was kept of it is not, the wallet was asked all the same. */
  async follow(hash: `0x${string}`): Promise<void> {
    const call = this.#plan.calls[this.#index]
    if (call === undefined) return
    const before = this.#record
    if (before === undefined) this.#keep(hash)
    if (this.#desk.isLeft) return
    this.show()
    const { stage, desk, signed } = this.#desk
    const { lookFor, sentBefore, sentOtherwise, unproved } = await import("./LookFor.ts")
    const check = await lookFor(desk.provider, hash, call, this.#plan)
    if (check === undefined) return stage.warn(notFound(hash))
    if (check === "before") return this.#leaves(hash, before, sentBefore(hash))
    if ("isUnproved" in check) return stage.warn(unproved(hash, check.faults))
    if (!check.fits) return this.#leaves(hash, before, sentOtherwise(hash, check.faults))
    this.#keep(hash)
    const step = { raw: check.raw, rows: check.rows, idempotencyKey: crypto.randomUUID(), sent: hash }
    signed.set(this.#index, step)
    return this.#found(step)
  }
}
