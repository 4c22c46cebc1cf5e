/** What the owner of a wallet sees before a passkey signs: the payment, read from the very calls, and who asks for it. */
import { formatUnits } from "viem"
import type { PagedReview } from "../../payments/DecideReview.ts"
import type { ReviewStatus } from "../../payments/PaymentReview.ts"
import { callbackOf } from "../../payments/Pilot.ts"
import type { StoredReview } from "../../payments/ReviewRow.ts"
import { visible } from "../../values/UntrustedText.ts"
import { codeHtml, type Html, html } from "./Html.ts"
import { layout } from "./Layout.ts"

export const REVIEW_SCRIPT = "/wallet/payment-review.js"

const NATIVE_DECIMALS = 18

const row = (name: string, value: Html): Html => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`

const memoHtml = (memo: string): Html =>
  memo === "" ? html`<span class="muted">none</span>` : html`“${visible(memo, memo.length).text}”`

const tokensHtml = (amount: string): Html =>
  amount === "0"
    ? html`<strong>none are guaranteed</strong>`
    : html`${formatUnits(BigInt(amount), NATIVE_DECIMALS)} of the project's tokens`

const timeHtml = (millis: number): Html => {
  const text = new Date(millis).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 19).replace("T", " ")} UTC</time>`
}

const payerOf = ({ signed: { operation } }: StoredReview): string =>
  "paymaster" in operation ? "a paymaster" : "the wallet"

const paymentHtml = (review: StoredReview): Html => {
  const { payment, origin, maximumCost, expiresAt, signed } = review
  const amount = formatUnits(BigInt(payment.amount), payment.decimals)
  return html`<table><tbody>
${row("Asked for by", html`<strong>${origin}</strong>`)}
${row("You pay", html`<strong>${amount} ${payment.symbol}</strong>`)}
${row("To project", html`<strong>${payment.projectId}</strong> by its terminal ${codeHtml(payment.terminal)}`)}
${row("Its tokens go to", codeHtml(payment.beneficiary))}
${row("At least", tokensHtml(payment.minimumReturnedTokens))}
${row("Memo", memoHtml(payment.memo))}
${row("From your wallet", html`${codeHtml(payment.wallet)} on chain ${payment.chainId}`)}
${row("Asset", codeHtml(payment.token))}
${row("Approvals before it", html`${payment.approvalStepIndexes.length === 0 ? "none" : "of exactly the amount or back to nothing, for this terminal"}`)}
${row("For gas at most", html`${formatUnits(BigInt(maximumCost), NATIVE_DECIMALS)} of the chain's currency, from ${payerOf(review)}`)}
${row("What is signed", codeHtml(signed.signing.digest))}
${row("Decide before", timeHtml(expiresAt))}
</tbody></table>`
}

const ENDED: Readonly<Record<Exclude<ReviewStatus, "pending" | "approved">, string>> = {
  cancelled:
    "This payment was cancelled, and nothing was approved. What you signed with the wallet's own key, if you did, can still be sent.",
  expired:
    "The time to decide is over, and nothing was approved. Unless you signed this payment with the wallet's own key, go back to the app to begin again."
}
const SENT =
  "This payment was sent, signed with the wallet's own key. The app tells what comes of it; do not begin again before."
const RESTORED =
  "The service was brought back from a backup since, and does not know whether you approved this payment. Look at what your wallet sent before you begin again."

/** Approved is not sent: that is the app's to do, as long as what was signed holds. */
const approvedHtml = ({ isSent, signed: { signing } }: StoredReview): Html =>
  isSent
    ? html`You approved this payment, and it was sent. The app tells what comes of it; you can close this page.`
    : html`You approved this payment. The app sends it on before ${timeHtml(1000 * signing.validUntil)}, or it is never made; you can close this page.`

const APPROVED_BEFORE =
  "You approved this payment. The service was brought back from a backup since, and does not know whether it was sent. Look at what your wallet sent before you begin again."

const endOf = (review: StoredReview): Html | undefined => {
  const { status, isSent, isRestored } = review
  if (status === "approved" && isRestored && !isSent) return html`${APPROVED_BEFORE}`
  if (status === "approved") return approvedHtml(review)
  if (isSent) return html`${SENT}`
  if (isRestored) return html`${RESTORED}`
  return status === "pending" ? undefined : html`${ENDED[status]}`
}

const decisionHtml = ({ review, settings, credentialId }: PagedReview): Html => {
  const end = endOf(review)
  if (end !== undefined)
    return html`<p role="status">${end}</p>
<p><a href="${callbackOf(review, review.issuer, review)}">Back to ${review.origin}</a></p>`
  if (credentialId === undefined)
    return html`<p role="status">The wallet has no passkey here, so this payment cannot be approved.</p>`
  const challenge = Buffer.from(review.signed.signing.digest.slice(2), "hex").toString("base64url")
  return html`<div id="decision" data-challenge="${challenge}" data-credential="${credentialId}" data-rp="${settings.rpId}">
<p>Approve it only if you began it at <strong>${review.origin}</strong> and every line above is what you mean. Your passkey signs exactly this.</p>
<p class="decide"><button type="button" id="approve">Approve with passkey</button> <button type="button" id="cancel">Cancel</button></p>
<p role="status" id="told"></p>
<noscript><p>Deciding needs JavaScript, by which the browser asks your passkey.</p></noscript>
</div>`
}

export const paymentReviewPage = (paged: PagedReview): string =>
  layout(
    "Review a payment",
    undefined,
    html`${paymentHtml(paged.review)}
${decisionHtml(paged)}`,
    html`<script type="module" src="${REVIEW_SCRIPT}"></script>
`
  )
