/** How a wallet of several owners is created, bound to an account and planned for: the way, what is signed, what is checked, problems, and where each rule comes from. */
import { checkMeanings } from "../../smartaccounts/CheckMeanings.ts"
import { challengeDomainMembers, challengeMembers } from "../../values/BindingChallenge.ts"
import { smartAccountProblems } from "../../values/SmartAccountProblems.ts"
import { encodeType } from "../../values/TypedData.ts"
import type { Document } from "../openapi/Document.ts"
import { block, codeHtml, html, tableHtml } from "./Html.ts"
import { layout } from "./Layout.ts"
import { meaningRows, problemRows, routeRows, sourceRows } from "./Rows.ts"
import { schemasHtml } from "./SchemaHtml.ts"

const SIGNED = [
  encodeType("EIP712Domain", challengeDomainMembers),
  encodeType("BindSmartAccount", challengeMembers)
].join("\n\n")

const DOMAIN = `name               Service Smart Account
version            1
chainId            the wallet's
verifyingContract  the wallet
salt               keccak256 of the UTF-8 bytes of the audience`

const SOURCES = [
  ["Which contracts a wallet is made of", "the manifest: each by its address and the hash of its code"],
  [
    "Owners, threshold, handler and guard",
    "the Safe's own functions and storage slots, at one block of its chain"
  ],
  ["Validators, executors and hook", "the ERC-7579 adapter, at the same block"],
  ["That no other module was ever installed", "all ModuleInstalled logs of the wallet, since its SafeSetup"],
  ["A new wallet's address", "CREATE2 by the factory: its proxy's code, the initializer and the salt nonce"],
  ["That the owners agree", "as many of their signatures over BindSmartAccount as their threshold asks for"]
] as const

const INTRO = html`<p>A Safe of several owners, with an ERC-7579 adapter, can be an account's wallet: plans are made for it, and it acts by <a href="/docs/user-operations">user operations</a> and <a href="/docs/sessions">sessions</a>. A binding grants no right to spend. It says for whose wallet plans are prepared, and what the wallet does its owners sign each time.</p>
<ol>
<li>Create a wallet by a creation plan, a transaction of the account's owner, or take one that stands. Its address follows from its owners, its threshold and a salt nonce before there is code at it.</li>
<li>Ask for a challenge. The wallet is inspected, and what comes back has the whole state that its owners sign for.</li>
<li>Have as many owners sign the typed data as the threshold asks for; the account's owner has to be one of the wallet's.</li>
<li>Bind the wallet. It is inspected again, and is refused where it is in another state by then.</li>
<li>Prepare plans for it, of calls or of any operation, with the wallet as their account.</li>
<li>Unlink it to end what is prepared here. What was sent, and what a session may do onchain, goes on.</li>
</ol>
<p><a href="/docs/guides/a-wallet-of-two-owners-pays">A guide</a> does all of it by commands and by a program.</p>`

export const smartAccountsPage = (document: Document): string =>
  layout(
    "Smart accounts",
    "/docs/smart-accounts",
    html`${INTRO}
<h2 id="routes">Routes</h2>
${tableHtml(["Route", ""], routeRows(document, "Wallets"))}
<h2 id="signed">What the owners sign</h2>
${block(SIGNED)}
${block(DOMAIN)}
<p>${codeHtml("stateHash")} is the Keccak-256 of the canonical JSON of the wallet's state as it was inspected. Signatures stand one after the other in the ascending order of their owners' addresses, 65 bytes each, with v 27 or 28 and a low s.</p>
<h2 id="checks">What is checked</h2>
<p>At one block, at a challenge, at a binding, for each plan and each operation. ${codeHtml("SMART_ACCOUNT_UNSUPPORTED")} names the first that does not hold in ${codeHtml("context.check")}; a bound wallet in another state than its owners signed for is ${codeHtml("SMART_ACCOUNT_CHANGED")}, with what differs.</p>
${tableHtml(["Check", "Holds where"], meaningRows(checkMeanings))}
<h2 id="problems">Problems</h2>
${tableHtml(["Code", "Status", "When"], problemRows(smartAccountProblems))}
<h2 id="sources">Where the rules come from</h2>
${tableHtml(["Rule", "Source"], sourceRows(SOURCES))}
${schemasHtml(document, { $ref: "#/components/schemas/InspectedWallet" })}`
  )
