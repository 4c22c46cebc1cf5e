/** What the owner can do with one step now, and why not where nothing can be done. */
import { approveStep, type OwnerApproval } from "../client/OwnerApproval.ts"
import type { Step } from "../plans/Plan.ts"
import { balanceRows } from "../review/BalanceRows.ts"
import { isKey, sentenceRow } from "../review/CallReview.ts"
import { checkSigned } from "../review/SignedBytes.ts"
import { simulationRows } from "../review/SimulationRows.ts"
import { type ReviewRow, row, words } from "../review/Words.ts"
import { approvalView } from "./ApprovalView.ts"
import { button, type Child, el, paragraph, textArea } from "./Elements.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"
import { rowsView } from "./RowsView.ts"
import { beginTransaction } from "./TransactionForm.ts"

export interface SignedStep {
  readonly raw: `0x${string}`
  readonly rows: ReadonlyArray<ReviewRow>
  /** The same for every try with these bytes. */
  readonly idempotencyKey: string
}

/** Its own bytes, and no others, may be sent again. */
const isLost = ({ transaction, state }: Step): boolean =>
  transaction !== undefined && (state === "unknown" || state === "reorged")

/** Why no transaction can be given to the step; undefined where one can. */
const obstacle = (desk: PlanDesk, { plan, review }: Reviewed, step: Step): string | undefined => {
  if (review.dangers.length > 0) return "Nothing of this plan can be signed here."
  if (step.transaction !== undefined && !isLost(step))
    return "The step has its transaction; only its outcome is open."
  if (!isLost(step) && plan.expiresAt <= desk.nowMillis()) return "The plan has expired: prepare a new one."
  if (step.blockedBy.length > 0)
    return `Blocked until step ${step.blockedBy.join(" and ")} is confirmed: look at the chain again later.`
  return plan.account.toLowerCase() === desk.desk.wallet.toLowerCase()
    ? undefined
    : "The planned wallet is not the connected one."
}

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

  view(): Child {
    const signed = this.#desk.signed.get(this.#step.index)
    if (signed !== undefined) this.#showSigned(signed)
    const paste = (words: string) => button(words, () => this.#showPaste())
    if (isLost(this.#step))
      return [el("div", { class: "actions" }, paste("Paste the step's own transaction again")), this.#work]
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
    const { client } = this.#desk.desk
    const { plan, review } = this.#reviewed
    const simulation = await client.plans.simulate(plan.id, this.#step.index)
    const changes = rowsView(balanceRows(simulation, plan.account, review.tokens))
    this.#changes.replaceChildren(plan.calls.length === 1 ? "" : `By step ${this.#step.index}:`, changes)
    this.#work.replaceChildren(el("h3", {}, "Simulated"), rowsView(simulationRows(simulation)))
  }

  async #prepare(): Promise<void> {
    const call = this.#reviewed.plan.calls[this.#step.index]
    if (call === undefined) return
    const form = await beginTransaction(this.#desk.desk, call, this.#callRows(), sign =>
      this.#run("Waiting for the wallet…", async () => this.#accept(await sign()))
    )
    this.#work.replaceChildren(...form)
  }

  #showPaste(): void {
    const pasted = textArea("Signed transaction in hexadecimal", "")
    this.#work.replaceChildren(
      el("h3", {}, "A transaction signed elsewhere"),
      paragraph("It is compared with the planned call in this browser before anything is done with it."),
      pasted.view,
      button("Check it", () => this.#run("Checking…", () => this.#accept(pasted.value())), "primary")
    )
  }

  /** Whatever a wallet or a person gives is used only where it is exactly the planned call. */
  async #accept(text: string): Promise<void> {
    const { plan } = this.#reviewed
    const { index } = this.#step
    const call = plan.calls[index]
    if (call === undefined) return
    const check = await checkSigned(text, call, plan.account)
    if (!check.fits)
      return this.#desk.stage.warn({
        title: "These bytes are not the planned call",
        advice: "They were not sent anywhere. Sign the planned call itself.",
        rows: check.faults.map(fault => row("fault", words(fault)))
      })
    const signed = { raw: check.raw, rows: check.rows, idempotencyKey: crypto.randomUUID() }
    this.#desk.signed.set(index, signed)
    this.#showSigned(signed)
  }

  #showSigned(signed: SignedStep): void {
    const bot = this.#reviewed.principal?.startsWith("bot:") === true
    this.#work.replaceChildren(
      el("h3", {}, "Signed, and exactly the planned call"),
      rowsView(signed.rows),
      bot
        ? paragraph(
            "A bot prepared this plan, so the bot sends it: approve these bytes and give it the approval."
          )
        : paragraph("Nothing was sent yet."),
      bot
        ? button("Approve for the bot", () => this.#run("Approving…", () => this.#approve(signed)), "primary")
        : button("Submit", () => this.#run("Submitting…", () => this.#submit(signed)), "primary")
    )
  }

  async #submit({ raw, rows, idempotencyKey }: SignedStep): Promise<void> {
    const { client, about } = this.#desk.desk
    const { id } = this.#reviewed.plan
    const submission = { rawSignedTransaction: raw }
    const answer = await about([...this.#callRows(), ...rows], () =>
      client.plans.submit(id, this.#step.index, submission, { idempotencyKey })
    )
    this.#desk.signed.delete(this.#step.index)
    await this.#desk.take(answer.plan)
  }

  async #approve({ raw, rows }: SignedStep): Promise<void> {
    const { client, signer, about } = this.#desk.desk
    const { plan, review, principal = "" } = this.#reviewed
    const approval: OwnerApproval = await about([...this.#callRows(), ...rows], async () =>
      approveStep(signer, {
        audience: await client.audience(),
        accountId: client.account,
        grantId: principal.slice("bot:".length),
        plan,
        stepIndex: this.#step.index,
        rawSignedTransaction: raw,
        issuedAt: client.clock.seconds(),
        windowSeconds: 300
      })
    )
    this.#work.append(approvalView(approval, raw, review.calls[approval.stepIndex]?.sentence ?? []))
  }
}

export const stepPanel = (desk: PlanDesk, reviewed: Reviewed, step: Step, changes: HTMLElement): Child => {
  const reason = obstacle(desk, reviewed, step)
  return reason === undefined
    ? new StepDesk(desk, reviewed, step, changes).view()
    : el("p", { class: "obstacle" }, reason)
}
