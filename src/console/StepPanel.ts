/** What the owner can do with one step now, and why not where nothing can be done. */
import { ServiceProblem } from "../client/Errors.ts"
import { hashIn } from "../client/TransactionHash.ts"
import type { Step } from "../plans/Plan.ts"
import { balanceRows } from "../review/BalanceRows.ts"
import { isKey, sentenceRow } from "../review/CallReview.ts"
import { type ReviewRow, row, words } from "../review/Words.ts"
import { button, type Child, el, paragraph, textArea } from "./Elements.ts"
import { tell } from "./Failures.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"
import { rowsView } from "./RowsView.ts"
import type { SentFlow } from "./SentFlow.ts"
import { forgetSent, recallSent, sentHash } from "./SentRecord.ts"
import { EXPIRED, mayGoAgain, obstacle } from "./StepObstacle.ts"
import type { Ways } from "./TransactionForm.ts"
import { isUnsupported } from "./Wallet.ts"

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

const OTHER_HASH = "Paste the hash of what was sent"
const UNHEARD =
  "Whether the service has them is not known here. Submit the same bytes again: they are sent once at most."

class StepDesk {
  readonly #desk: PlanDesk
  readonly #reviewed: Reviewed
  readonly #step: Step
  readonly #changes: HTMLElement
  readonly #work = el("div", { class: "work" })

  constructor(desk: PlanDesk, reviewed: Reviewed, step: Step, changes: HTMLElement) {
    this.#changes = changes
    this.#desk = desk
    this.#reviewed = reviewed
    this.#step = step
  }

  get #name() {
    return { planId: this.#reviewed.plan.id, step: this.#step.index }
  }

  /** Loaded once the wallet sends or has sent something. */
  async #sending(): Promise<SentFlow> {
    const { SentFlow } = await import("./SentFlow.ts")
    const [desk, { plan }, { index }] = [this.#desk, this.#reviewed, this.#step]
    return new SentFlow(desk, plan, index, this.#work, found => this.#found(found))
  }

  view(): Child {
    const signed = this.#desk.signed.get(this.#step.index)
    if (signed !== undefined) this.#showSigned(signed)
    else this.#showSent()
    const paste = (words: string) => button(words, () => this.#showPaste())
    const alone = (words: string) => [el("div", { class: "actions" }, paste(words)), this.#work]
    if (mayGoAgain(this.#step)) return alone("Paste the step's own transaction again")
    if (sentHash(this.#name) !== undefined) return alone(OTHER_HASH)
    return [
      el(
        "div",
        { class: "actions" },
        button("Simulate", () => this.#run("Simulating…", () => this.#simulate())),
        button(
          "Prepare the transaction",
          () => this.#run("Asking the wallet…", () => this.#prepare()),
          "primary"
        ),
        paste("Paste a signed transaction")
      ),
      this.#work
    ]
  }

  /** What the tab may hand in by itself needs no click. */
  #showSent(): void {
    if (recallSent(this.#name) === undefined) return
    const { silentReader, stage } = this.#desk
    this.#sending().then(
      sending => {
        sending.show()
        if (silentReader !== undefined && this.#step.transaction === undefined)
          stage.next("Looking for the transaction…", () => sending.again())
      },
      failure => stage.warn(tell(failure))
    )
  }

  /** What was sent in time may still be followed. */
  pasteView(): Child {
    this.#showSent()
    return [
      el(
        "div",
        { class: "actions" },
        button(OTHER_HASH, () => this.#showPaste())
      ),
      this.#work
    ]
  }

  #run(doing: string, work: () => Promise<void>): void {
    this.#desk.stage.run(doing, work)
  }

  #callRows(): ReadonlyArray<ReviewRow> {
    const call = this.#reviewed.review.calls[this.#step.index]
    return call === undefined
      ? []
      : [
          sentenceRow(call),
          row("call", words(`${call.title} on ${call.chain}`)),
          ...call.rows.filter(isKey),
          { name: "every row", value: [], folded: true, rows: call.rows.filter(each => !isKey(each)) },
          { name: "arguments", value: [], folded: true, rows: call.arguments }
        ]
  }

  async #simulate(): Promise<void> {
    const { plan, review } = this.#reviewed
    const [{ simulationRows }, simulation] = await Promise.all([
      import("../review/SimulationRows.ts"),
      this.#desk.reader.plans.simulate(plan.id, this.#step.index)
    ])
    const changes = rowsView(balanceRows(simulation, plan, review.tokens))
    this.#changes.replaceChildren(plan.calls.length === 1 ? "" : `By step ${this.#step.index}:`, changes)
    this.#work.replaceChildren(el("h3", {}, "Simulated"), rowsView(simulationRows(simulation)))
  }

  async #prepare(): Promise<void> {
    const call = this.#reviewed.plan.calls[this.#step.index]
    if (call === undefined) return
    const asking = (work: () => Promise<void>) => this.#run("Waiting for the wallet…", work)
    const ways: Ways = {
      sign: ask => asking(() => this.#sign(ask)),
      send: ask => asking(async () => (await this.#sending()).send(ask))
    }
    const { transactionForm } = await import("./TransactionForm.ts")
    this.#work.replaceChildren(...(await transactionForm(this.#desk.desk, call, this.#callRows(), ways)))
  }

  /** A wallet that cannot is offered to send instead. */
  async #sign(ask: () => Promise<string>): Promise<void> {
    try {
      await this.#accept(await ask())
    } catch (failure) {
      if (!isUnsupported(failure)) throw failure
      await this.#prepare()
    }
  }

  async #found(signed: SignedStep): Promise<void> {
    this.#showSigned(signed)
    if (!this.#isOfBot()) await this.#submit(signed)
  }

  #isOfBot(): boolean {
    const { principal = "" } = this.#reviewed
    return principal.startsWith("bot:") && principal !== this.#desk.desk.grant?.client.principalId
  }

  #showPaste(): void {
    const pasted = textArea("Signed transaction in hexadecimal, or the hash of a sent one", "")
    this.#work.replaceChildren(
      el("h3", {}, "A transaction signed elsewhere, or sent by the wallet"),
      paragraph("It is compared with the planned call in this browser before anything is done with it."),
      pasted.view,
      button("Check it", () => this.#run("Checking…", () => this.#accept(pasted.value())), "primary")
    )
  }

  /** Whatever a wallet or a person gives is used only where it is exactly the planned call. */
  async #accept(text: string): Promise<void> {
    const hash = hashIn(text)
    if (hash !== undefined) return (await this.#sending()).follow(hash)
    const { plan } = this.#reviewed
    const { index } = this.#step
    const call = plan.calls[index]
    if (call === undefined) return
    const { checkSigned } = await import("../review/SignedBytes.ts")
    const check = await checkSigned(text, call, plan.account)
    if (!check.fits)
      return this.#desk.stage.warn({
        title: "These bytes are not the planned call",
        advice: "They were not sent anywhere. Sign the planned call itself.",
        rows: check.faults.map(fault => row("fault", words(fault)))
      })
    const signed = { raw: check.raw, rows: check.rows, idempotencyKey: crypto.randomUUID() }
    this.#keepSigned(signed)
  }

  #keepSigned(signed: SignedStep): void {
    this.#desk.signed.set(this.#step.index, signed)
    this.#showSigned(signed)
  }

  #showSigned(signed: SignedStep): void {
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
        : paragraph(signed.isUnheard === true ? UNHEARD : "Nothing was sent yet."),
      bot
        ? button("Approve for the bot", () => this.#run("Approving…", () => this.#approve(signed)), "primary")
        : button("Submit", () => this.#run("Submitting…", () => this.#submit(signed)), "primary")
    )
  }

  #showFound(signed: SignedStep, hash: `0x${string}`): void {
    const next = el("div", {})
    this.#work.replaceChildren(
      el("h3", {}, "Sent by the wallet, and exactly the planned call"),
      rowsView(signed.rows),
      next
    )
    if (this.#isOfBot())
      import("./SentStep.ts").then(({ recordCommand }) =>
        next.append(...recordCommand(this.#reviewed.plan.id, this.#step.index, hash))
      )
    else
      next.append(
        button(
          "Have the service follow it",
          () => this.#run("Submitting…", () => this.#submit(signed)),
          "primary"
        )
      )
  }

  #submitting(signed: SignedStep) {
    const [desk, reviewed] = [this.#desk, this.#reviewed]
    return { desk, reviewed, index: this.#step.index, signed, rows: this.#callRows() }
  }

  async #submit(signed: SignedStep): Promise<void> {
    const [{ handIn }, { isUnheard }] = await Promise.all([import("./HandIn.ts"), import("./Unheard.ts")])
    const plan = await handIn(this.#submitting(signed)).catch(async (failure: unknown) => {
      if (isUnheard(failure)) this.#keepSigned({ ...signed, isUnheard: true })
      if (signed.sent === undefined || !(failure instanceof ServiceProblem)) throw failure
      const { notFollowed } = await import("./SentStep.ts")
      this.#desk.stage.warn(notFollowed(failure))
    })
    if (plan === undefined) return
    forgetSent(this.#name)
    this.#desk.signed.delete(this.#step.index)
    await this.#desk.take(plan)
  }

  async #approve(signed: SignedStep): Promise<void> {
    const { review, principal = "" } = this.#reviewed
    const { approvedBy } = await import("./HandIn.ts")
    const approval = await approvedBy(principal.slice("bot:".length), this.#submitting(signed))
    const sentence = review.calls[approval.stepIndex]?.sentence ?? []
    const { approvalView } = await import("./ApprovalView.ts")
    this.#work.append(approvalView(approval, signed.raw, sentence))
  }
}

export const stepPanel = (desk: PlanDesk, reviewed: Reviewed, step: Step, changes: HTMLElement): Child => {
  const name = { planId: reviewed.plan.id, step: step.index }
  if (step.transaction !== undefined && step.transaction.hash === sentHash(name)) forgetSent(name)
  const reason = obstacle(desk, reviewed, step)
  const panel = () => new StepDesk(desk, reviewed, step, changes)
  if (reason === undefined) return panel().view()
  return [el("p", { class: "obstacle" }, reason), reason === EXPIRED ? panel().pasteView() : undefined]
}
