/** How a bot acts for a wallet within what its owners enabled: the way, what is enabled and signed, states, problems, the guard's rules, and where each rule comes from. */
import { guardRefusals, invalidationMeanings, sessionMeanings } from "../../sessions/SessionMeanings.ts"
import { sessionProblems } from "../../values/SessionProblems.ts"
import type { Document } from "../openapi/Document.ts"
import { block, codeHtml, html, tableHtml } from "./Html.ts"
import { layout } from "./Layout.ts"
import { meaningRows, problemRows, routeRows, sourceRows } from "./Rows.ts"
import { schemasHtml } from "./SchemaHtml.ts"

const HASHES = `policyHash     keccak256(abi.encode(Policy))
permissionId   keccak256(abi.encode(uint256 chainId, address guard, address wallet, address sessionKey, uint64 generation, bytes32 nonce))
compiledHash   keccak256(abi.encode(uint256 chainId, address guard, address wallet, bytes32 policyHash))
history        keccak256(abi.encode(bytes32 before, uint8 action, bytes32 permissionId, bytes32 compiledHash, uint64 enableNonce, uint64 epoch))
signature      0x01, permissionId, uint32 length of the policy, the policy, 65 bytes of the key (EIP-191 of the raw operation hash)`

const KINDS = [
  [
    "v6-project-uri",
    "setUriOf(uint256,string)",
    "Sets the metadata URI of one project by a reviewed controller; moves nothing."
  ],
  ["erc20-transfer", "transfer(address,uint256)", "Sends a reviewed token to one beneficiary."],
  [
    "v6-pay",
    "pay(uint256,address,uint256,address,uint256,string,bytes)",
    "Pays one project by a reviewed terminal in one asset, for one beneficiary, with no memo and no metadata."
  ]
] as const

const SOURCES = [
  ["What the guard enforces", "SessionGuard, by the hash of the code that the wallet's manifest pins"],
  [
    "Which contracts and assets may be named",
    "the manifest's lists of reviewed targets and assets, by address and code"
  ],
  ["What a session may do, in sentences", "the encoded policy alone, read back by whoever shows it"],
  [
    "Whether it is live, and what is left",
    "stateOf and administrationOf of the guard, at one block of the chain"
  ],
  [
    "That nothing else was ever enabled",
    "the guard's history, a hash over everything that was enabled or revoked"
  ],
  [
    "That the wallet may have another",
    "a block with the tag finalized in which the guard has the session revoked"
  ],
  [
    "Gas of an operation",
    "eth_estimateUserOperationGas with the policy's hash overridden, or computed where a bundler takes none"
  ]
] as const

const INTRO = html`<p>A wallet of several owners can let a bot act for it, for 7 or 30 days, without an owner's signature each time. What the bot's key may do is a policy: which calls of which contracts, with which words, up to which amounts, for how much gas. The wallet's owners enable it once by their threshold, at a guard: a validator of the wallet's that holds every operation of the key to the policy, on the chain, whoever carries it there.</p>
<ol>
<li>Review a policy and prepare a session of it. That gives no authority, and reserves the session's names alone.</li>
<li>Read what it allows from its bytes, compute the compiled hash anew, and have the owners enable exactly that by the operation of an activation plan.</li>
<li>The bot prepares a plan of the wallet's and an operation with ${codeHtml("sessionId")}, one step each, and signs the operation's hash with its key. The service looks at the guard, the grant and the binding at that moment, from ten seconds after the session's begin on, since bundlers go by their own clocks, and sends it once.</li>
<li>${codeHtml("quota")} shows what is left, by the guard's own counters. What was used never comes back.</li>
<li>The owners revoke it by a revocation plan, or by the transaction ${codeHtml("revokeTransaction")} of their wallet, for which they need nobody.</li>
</ol>
<p>Guides do all of it: <a href="/docs/guides/a-bot-may-tip-for-a-week">A bot may tip for a week</a>, and <a href="/docs/guides/revoke-without-the-service">Revoke without the service</a>.</p>`

const TRUST = html`<p>The service's checks may only refuse more than the guard does. Unlinking the wallet, revoking the bot's grant and the session's end stop what is sent from here at once; on the chain only the guard's revocation and the policy's own end do. A wallet has one session admitted at a time, and none of a session's names is ever used again.</p>`

export const sessionsPage = (document: Document): string =>
  layout(
    "Sessions",
    "/docs/sessions",
    html`${INTRO}
<h2 id="trust">What holds it</h2>
${TRUST}
<h2 id="routes">Routes</h2>
${tableHtml(["Route", ""], routeRows(document, "Sessions"))}
<h2 id="actions">What a session can allow</h2>
<p>Each word of a call that matters is fixed by the policy, and one is an amount, counted.</p>
${tableHtml(
  ["Kind", "Function", ""],
  KINDS.map(
    ([kind, called, means]) =>
      html`<tr><td>${codeHtml(kind)}</td><td>${codeHtml(called)}</td><td>${means}</td></tr>`
  )
)}
<h2 id="signed">What is enabled, and what its key signs</h2>
${block(HASHES)}
<p>The owners acknowledge ${codeHtml("compiledHash")}, the guard keeps it, and each operation presents the policy of it. The key signs as ${codeHtml("personal_sign")} does, and never a message of another form: the guard says no to every signature that is not an operation's.</p>
<h2 id="states">States</h2>
<p>Made of what is stored and of one look at the chain.</p>
${tableHtml(["State", "Meaning"], meaningRows(sessionMeanings))}
<h2 id="invalidations">What keeps one from being used</h2>
${tableHtml(["Reason", "Meaning"], meaningRows(invalidationMeanings))}
<h2 id="rules">What the guard refuses</h2>
<p>${codeHtml("Refused(uint8)")} names the rule, and ${codeHtml("SESSION_CALL_REFUSED")} has it in its context.</p>
${tableHtml(
  ["Rule", "When", "Meaning"],
  guardRefusals.map(
    ([rules, when, means]) => html`<tr><td>${rules}</td><td>${when}</td><td>${means}</td></tr>`
  )
)}
<h2 id="problems">Problems</h2>
${tableHtml(["Code", "Status", "When"], problemRows(sessionProblems))}
<h2 id="sources">Where the rules come from</h2>
${tableHtml(["Rule", "Source"], sourceRows(SOURCES))}
${schemasHtml(document, { $ref: "#/components/schemas/Session" })}`
  )
