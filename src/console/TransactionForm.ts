/** A planned call as a transaction to sign or, where the wallet cannot, to send: nonce and fees from the wallet's own node, changeable. */
import { serializeTransaction } from "viem"
import { WalletChainMismatch } from "../client/Errors.ts"
import type { UnsignedTransaction } from "../client/PlannedTransaction.ts"
import type { Call } from "../plans/Plan.ts"
import { signingHash, signingParameters, transactionRows } from "../review/SigningDigests.ts"
import { exact, type ReviewRow, row } from "../review/Words.ts"
import type { Desk } from "./Desk.ts"
import { button, el, field, paragraph } from "./Elements.ts"
import { agreed } from "./Prompt.ts"
import { rowsView } from "./RowsView.ts"
import { type SendChecks, sendBy, sendRows } from "./SendTransaction.ts"
import { type SendingFees, type Suggested, sendingFees, suggested, unsignedOf } from "./SuggestedFees.ts"
import { chainIdOf, isUnsupported } from "./Wallet.ts"

/** What asks the wallet, and what it answers. */
type Ask = () => Promise<string>

export interface Ways {
  readonly sign: (ask: Ask) => void
  readonly send: (ask: (checks: SendChecks) => Promise<string | undefined>) => void
}

/** Some nodes answer `{raw, tx}`. */
const rawOf = (answer: unknown): string => String(Object(answer).raw ?? answer)

const SIGNING = "eth_signTransaction"

const signedBy = async ({ provider, wallet, lacks }: Desk, transaction: UnsignedTransaction) => {
  const params = [signingParameters(wallet, transaction)]
  const answer = await provider.request({ method: SIGNING, params }).catch((failure: unknown) => {
    if (isUnsupported(failure)) lacks.add(SIGNING)
    throw failure
  })
  return rawOf(answer)
}

const asked = async (
  desk: Desk,
  transaction: UnsignedTransaction,
  about: ReadonlyArray<ReviewRow>
): Promise<string> => {
  await agreed({
    title: "Sign the transaction",
    intro:
      "The wallet signs exactly this call. Signing sends nothing; the signed bytes are checked here and submitted only when you say so.",
    rows: [...about, ...transactionRows(transaction)],
    digests: [row("transaction hash to sign", exact(signingHash(transaction)))],
    action: "Continue in the wallet"
  })
  return signedBy(desk, transaction)
}

const unsignedView = (transaction: UnsignedTransaction): HTMLElement =>
  el(
    "details",
    {},
    el("summary", {}, "Unsigned bytes, to sign elsewhere"),
    el("pre", { tabindex: "0" }, el("code", {}, serializeTransaction({ type: "eip1559", ...transaction })))
  )

const signView = (
  desk: Desk,
  transaction: UnsignedTransaction | undefined,
  about: ReadonlyArray<ReviewRow>,
  { sign }: Ways
): ReadonlyArray<HTMLElement> =>
  transaction === undefined
    ? [paragraph("Fill in whole numbers; the tip may not be above the fee cap.")]
    : [
        rowsView(transactionRows(transaction)),
        unsignedView(transaction),
        button("Sign in the wallet", () => sign(() => asked(desk, transaction, about)), "primary")
      ]

const SENDS_ONLY =
  "This wallet signs no transaction without sending it. So the wallet sends the call itself; the page reads back what was sent, and only where that is exactly the planned call does the service follow it. The better way is signed bytes, which are reviewed before anything leaves: for that sign elsewhere, and paste them."

interface Sendable {
  readonly fees: SendingFees | undefined
  /** For who signs it elsewhere after all. */
  readonly unsigned: UnsignedTransaction | undefined
}

const sendView = (
  desk: Desk,
  call: Call,
  { fees, unsigned }: Sendable,
  about: ReadonlyArray<ReviewRow>,
  { send }: Ways
): ReadonlyArray<HTMLElement> =>
  fees === undefined
    ? [paragraph("Fill in whole numbers, or nothing where the wallet is to choose.")]
    : [
        rowsView(sendRows(desk, call, fees)),
        ...(unsigned === undefined ? [] : [unsignedView(unsigned)]),
        button(
          "Send with the wallet",
          () => send(checks => sendBy(desk, call, fees, about, checks)),
          "primary"
        )
      ]

export const transactionForm = async (
  desk: Desk,
  call: Call,
  about: ReadonlyArray<ReviewRow>,
  ways: Ways
): Promise<ReadonlyArray<HTMLElement>> => {
  const connected = await chainIdOf(desk.provider)
  if (connected !== call.chainId) throw new WalletChainMismatch(call.chainId, connected)
  const sendsOnly = desk.lacks.has(SIGNING)
  const first = await suggested(desk, call)
  const outcome = el("div", { "aria-live": "polite" })
  const changed = () => {
    const unsigned = unsignedOf(call, current())
    outcome.replaceChildren(
      ...(sendsOnly
        ? sendView(desk, call, { fees: sendingFees(current()), unsigned }, about, ways)
        : signView(desk, unsigned, about, ways))
    )
  }
  const nonce = field("Nonce", first.nonce, changed, { inputmode: "numeric" })
  const gas = field("Gas limit", first.gas, changed, { inputmode: "numeric" })
  const feeCap = field("Fee cap per gas, in wei", first.feeCap, changed, { inputmode: "numeric" })
  const tip = field("Tip per gas, in wei", first.tip, changed, { inputmode: "numeric" })
  const current = (): Suggested => ({
    nonce: nonce.value(),
    gas: gas.value(),
    feeCap: feeCap.value(),
    tip: tip.value()
  })
  changed()
  return [
    el("h3", {}, "The transaction"),
    ...(sendsOnly ? [paragraph(SENDS_ONLY)] : []),
    el("div", { class: "fields" }, sendsOnly ? undefined : nonce.view, gas.view, feeCap.view, tip.view),
    outcome
  ]
}
