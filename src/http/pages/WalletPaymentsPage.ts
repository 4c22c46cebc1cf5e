/** How an app has a wallet's owner approve a payment by a passkey: the way, what is signed, what is refused, and where each rule comes from. */
import { walletPaymentProblems } from "../../values/WalletPaymentProblems.ts"
import type { Document } from "../openapi/Document.ts"
import { codeHtml, type Html, html, tableHtml } from "./Html.ts"
import { layout } from "./Layout.ts"
import { problemRows, routeRows, sourceRows } from "./Rows.ts"
import { schemasHtml } from "./SchemaHtml.ts"

const STATUSES = [
  ["pending", "The owner has not decided, and there is time."],
  ["approved", "The wallet's passkey signed the operation; its app has the signature and submits it."],
  ["cancelled", "The owner cancelled on the page, or the app's grant was revoked before the decision."],
  [
    "expired",
    "The time was over first: five minutes, or what is left to the operation or the grant; or the service was restored from a backup, and does not know what was decided since."
  ]
] as const

const REASONS = [
  ["manifest", "the wallet's manifest is none of the pilot's"],
  ["binding", "the wallet is not bound in the state that the operation was prepared for"],
  ["session", "a session's key is to sign it, and no owner"],
  ["owners", "its owners are not the account's own key and one passkey's contract, either alone"],
  ["credential", "no passkey of the wallet is known: its owner names it first"],
  ["key", "the contract tells another key than was named"],
  [
    "verifier",
    "the wallet's chain has no precompile that checks passkeys' signatures (EIP-7951, RIP-7212): no passkey of it is kept, so none is asked to sign"
  ],
  ["sent", "the operation left already"],
  ["expired", "the operation's time is over"],
  ["reviewed", "the operation has its review"],
  ["calls", "its last call is no payment, or more than two calls stand before it"],
  ["terminal", "the payment is not to a published terminal in use"],
  ["asset", "what is paid is none of the manifest's reviewed assets"],
  ["value", "nothing is paid, or the call sends another value than it says"],
  ["metadata", "the payment carries metadata, which no page could show"],
  ["memo", "the payment's memo holds a NUL, which no review keeps, or has more than 512 characters"],
  [
    "approval",
    "a call before it is no approval of exactly what is paid, or back to nothing, for that terminal"
  ]
] as const

const CHECKS = [
  ["form", "a part of it, or its signature, is of another form or too long"],
  ["credential", "it is of another passkey than the wallet's"],
  ["type", "it is no assertion"],
  ["challenge", "it is over something else than the operation's digest"],
  ["origin", "it was made on another page, or in a frame of another"],
  ["rp-id", "it is for another party than capabilities name"],
  ["user-presence", "nobody was there"],
  ["user-verification", "the authenticator did not verify its user"],
  ["backup", "its flags contradict each other"],
  ["counter", "its authenticator counted no further than before: it was copied, or sent twice"],
  ["signature", "the key did not sign it"],
  ["contract", "the contract that owns the wallet does not take it at the head"]
] as const

const SOURCES = [
  ["The assertion, its flags and its client data", "Web Authentication, level 3: verifying an assertion"],
  ["Its signature", "ES256, with its s in the lower half"],
  [
    "What the contract takes",
    "PasskeyOwner: ERC-1271, and Safe's form of it, on WebAuthn and P256 of OpenZeppelin Contracts 5"
  ],
  [
    "The signature of the operation",
    "a contract's signature of Safe 1.4.1, behind validAfter and validUntil"
  ],
  ["The way back", "the app's registered callbackUri alone, with review, state and iss (RFC 9207)"]
] as const

const named = (rows: ReadonlyArray<readonly [name: string, means: string]>): ReadonlyArray<Html> =>
  rows.map(([name, means]) => html`<tr><td>${codeHtml(name)}</td><td>${means}</td></tr>`)

const INTRO = html`<p>A pilot, where ${codeHtml("SERVICE_WALLET_PAYMENTS")} names its apps and the manifests of its wallets. An app prepares a payment as a wallet's operation, and its owner approves exactly that on a page of the service, by a passkey. The app gets one signature for one operation: no key, no session, and nothing that would pay another time.</p>
<ol>
<li>A contract owns the wallet by a passkey beside the account's own key; either signs alone. The manifest pins the contract, and the owner binds the wallet and names the passkey once.</li>
<li>The owner grants the app's bot ${codeHtml("read")}, ${codeHtml("plan")} and ${codeHtml("relay")}. The bot prepares the plan of a payment for the wallet, and an operation of its steps.</li>
<li>The bot opens the review, with a ${codeHtml("state")} that nobody can guess, and leads the owner to ${codeHtml("/wallet/payment-reviews/{id}")} at the service's origin.</li>
<li>The page shows what the calls do, and has the passkey sign the operation's digest. It leads back to the app's callback with ${codeHtml("review")}, ${codeHtml("state")} and ${codeHtml("iss")}: compare all three.</li>
<li>The bot reads the review. Where it is approved, it submits the operation with ${codeHtml("approval.signature")} as it submits others, and everything is looked at again.</li>
</ol>
<p>The page's address shows the review to whoever has it, and lets them cancel; the passkey alone approves. ${codeHtml("client.walletPayments")} does the app's part.</p>`

export const walletPaymentsPage = (document: Document): string =>
  layout(
    "Wallet payments",
    "/docs/wallet-payments",
    html`${INTRO}
<h2 id="routes">Routes</h2>
${tableHtml(["Route", ""], routeRows(document, "WalletPayments"))}
<h2 id="statuses">Statuses</h2>
<p>A decision never changes, and an operation has one review for good.</p>
${tableHtml(["Status", "Meaning"], named(STATUSES))}
<h2 id="reasons">Why an operation is not reviewed</h2>
<p>${codeHtml("context.reason")} of ${codeHtml("PAYMENT_UNSUITABLE")}.</p>
${tableHtml(["Reason", "Meaning"], named(REASONS))}
<h2 id="checks">Why an assertion does not count</h2>
<p>${codeHtml("context.check")} of ${codeHtml("PAYMENT_ASSERTION_INVALID")}; the review stays as it was.</p>
${tableHtml(["Check", "Meaning"], named(CHECKS))}
<h2 id="problems">Problems</h2>
${tableHtml(["Code", "Status", "When"], problemRows(walletPaymentProblems))}
<h2 id="sources">Where the rules come from</h2>
${tableHtml(["Rule", "Source"], sourceRows(SOURCES))}
${schemasHtml(document, { $ref: "#/components/schemas/PaymentReview" })}`
  )
