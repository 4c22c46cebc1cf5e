/** A step's bytes, from whoever signed or sent them: compared with the planned call, shown and handed in; loaded once there may be some. */
import { ServiceProblem } from "../client/Errors.ts"
import { hashIn } from "../client/TransactionHash.ts"
import { type ReviewRow, row, words } from "../review/Words.ts"
import { keccak256 } from "../values/Keccak.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import { button, el, paragraph, textArea } from "./Elements.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"
import { rowsView } from "./RowsView.ts"
import { SentFlow } from "./SentFlow.ts"
import { forgetSent, recallSent, sentHash } from "./SentRecord.ts"
import { isStored, notFollowed, otherBytes, recordCommand } from "./SentStep.ts"

export interface SignedStep {
  readonly raw: `0x${string}`
  readonly rows: ReadonlyArray<ReviewRow>
  /** The same for every try with these bytes. */
  readonly idempotencyKey: string
  /** Whether it may have reached the service, which was not heard to say so. */
  readonly isUnheard?: true
  /** Its hash, where the wallet sent it already. */
  readonly sent?: `0x${string}`
}

interface StepAtHand {
  readonly desk: PlanDesk
  readonly reviewed: Reviewed
  readonly index: number
  /** Of the call. */
  readonly rows: ReadonlyArray<ReviewRow>
}

const UNHEARD =
  "Whether the service has them is not known here. Submit the same bytes again: they are sent once at most."

const ASKED_BEFORE =
  "The wallet was asked to send this step before, and nobody knows whether it did: look there first, for these bytes send it once more."

const hashOf = ({ raw }: SignedStep): string => keccak256(fromHex(raw))

export class SignedPanel {
  readonly sending: SentFlow
  readonly #step: StepAtHand
  readonly #work: HTMLElement

  constructor(step: StepAtHand, work: HTMLElement) {
    const { desk, reviewed, index } = step
    this.#step = step
    this.#work = work
    this.sending = new SentFlow(desk, reviewed.plan, index, work, found => this.#found(found))
  }

  get #name() {
    const { reviewed, index } = this.#step
    return { planId: reviewed.plan.id, step: index }
  }

  #run(doing: string, work: () => Promise<void>): void {
    this.#step.desk.stage.run(doing, work)
  }

  async #found(signed: SignedStep): Promise<void> {
    this.show(signed)
    if (!this.#isOfBot() && !this.#step.desk.isLeft) await this.#submit(signed)
  }

  #isOfBot(): boolean {
    const { desk, reviewed } = this.#step
    const { principal = "" } = reviewed
    return principal.startsWith("bot:") && principal !== desk.desk.grant?.client.principalId
  }

  showPaste(): void {
    const pasted = textArea("Signed transaction in hexadecimal, or the hash of a sent one", "")
    this.#work.replaceChildren(
      el("h3", {}, "A transaction signed elsewhere, or sent by the wallet"),
      paragraph("It is compared with the planned call in this browser before anything is done with it."),
      pasted.view,
      button("Check it", () => this.#run("Checking…", () => this.accept(pasted.value())), "primary")
    )
  }

  /** Whatever a wallet or a person gives is used only where it is exactly the planned call. */
  async accept(text: string): Promise<void> {
    const hash = hashIn(text)
    if (hash !== undefined) return this.sending.follow(hash)
    const { desk, reviewed, index } = this.#step
    const { calls, account } = reviewed.plan
    const call = calls[index]
    if (call === undefined) return
    const { checkSigned } = await import("../review/SignedBytes.ts")
    const check = await checkSigned(text, call, account)
    if (!check.fits)
      return desk.stage.warn({
        title: "These bytes are not the planned call",
        advice: "They were not sent anywhere. Sign the planned call itself.",
        rows: check.faults.map(fault => row("fault", words(fault)))
      })
    const signed = { raw: check.raw, rows: check.rows, idempotencyKey: crypto.randomUUID() }
    const sent = sentHash(this.#name)
    if (sent === undefined) return this.#keep(signed)
    if (!this.#refuses(signed)) this.#keep({ ...signed, sent })
  }

  /** Said, where the wallet sent other bytes, in another tab too. */
  #refuses(signed: SignedStep): boolean {
    const sent = sentHash(this.#name)
    if (sent === undefined || sent === hashOf(signed)) return false
    this.#step.desk.stage.warn(otherBytes(sent))
    return true
  }

  #keep(signed: SignedStep): void {
    this.#step.desk.signed.set(this.#step.index, signed)
    this.show(signed)
  }

  show(signed: SignedStep): void {
    const bot = this.#isOfBot()
    if (signed.sent !== undefined) {
      this.#showFound(signed, signed.sent)
      return
    }
    this.#work.replaceChildren(
      el("h3", {}, "Signed, and exactly the planned call"),
      rowsView(signed.rows),
      bot
        ? paragraph(
            "A bot prepared this plan, so the bot sends it: approve these bytes and give it the approval."
          )
        : paragraph(this.#standing(signed)),
      bot
        ? button("Approve for the bot", () => this.#run("Approving…", () => this.#approve(signed)), "primary")
        : button("Submit", () => this.#run("Submitting…", () => this.#submit(signed)), "primary")
    )
  }

  #standing({ isUnheard }: SignedStep): string {
    if (isUnheard === true) return UNHEARD
    return recallSent(this.#name) === undefined ? "Nothing was sent yet." : ASKED_BEFORE
  }

  #showFound(signed: SignedStep, hash: `0x${string}`): void {
    const next = el("div", {})
    this.#work.replaceChildren(
      el("h3", {}, "Sent by the wallet, and exactly the planned call"),
      rowsView(signed.rows),
      next
    )
    if (this.#isOfBot()) next.append(...recordCommand(this.#name.planId, this.#name.step, hash))
    else
      next.append(
        button(
          "Have the service follow it",
          () => this.#run("Submitting…", () => this.#submit(signed)),
          "primary"
        )
      )
  }

  async #submit(signed: SignedStep): Promise<void> {
    if (this.#refuses(signed)) return
    const [{ handIn }, { isUnheard }] = await Promise.all([import("./HandIn.ts"), import("./Unheard.ts")])
    const { desk, index } = this.#step
    const plan = await handIn({ ...this.#step, signed }).catch((failure: unknown) => {
      if (isUnheard(failure)) this.#keep({ ...signed, isUnheard: true })
      if (signed.sent === undefined || !(failure instanceof ServiceProblem)) throw failure
      desk.stage.warn(notFollowed(failure, isStored(this.#name)))
    })
    if (plan === undefined) return
    const record = recallSent(this.#name)
    if (record === "asked" || record === hashOf(signed)) forgetSent(this.#name)
    desk.signed.delete(index)
    await desk.take(plan)
  }

  async #approve(signed: SignedStep): Promise<void> {
    const { review, principal = "" } = this.#step.reviewed
    const { approvedBy } = await import("./HandIn.ts")
    const approval = await approvedBy(principal.slice("bot:".length), { ...this.#step, signed })
    const sentence = review.calls[approval.stepIndex]?.sentence ?? []
    const { approvalView } = await import("./ApprovalView.ts")
    this.#work.append(approvalView(approval, signed.raw, sentence))
  }
}
