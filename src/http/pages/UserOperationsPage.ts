/** How a wallet of several owners acts: the way, what is signed, states, problems, and where each rule comes from. */
import { operationMeanings } from "../../useroperations/OperationMeanings.ts"
import { operationSubmissionProblems } from "../../values/OperationSubmissionProblems.ts"
import { safeDomainMembers, safeOpMembers } from "../../values/SafeOperation.ts"
import { encodeType } from "../../values/TypedData.ts"
import { userOperationProblems } from "../../values/UserOperationProblems.ts"
import type { Document } from "../openapi/Document.ts"
import { block, codeHtml, html, tableHtml } from "./Html.ts"
import { layout } from "./Layout.ts"
import { meaningRows, problemRows, routeRows, sourceRows } from "./Rows.ts"
import { schemasHtml } from "./SchemaHtml.ts"

const SIGNED = [encodeType("EIP712Domain", safeDomainMembers), encodeType("SafeOp", safeOpMembers)].join(
  "\n\n"
)

const SOURCES = [
  ["The operation's members and its hash", "ERC-4337 v0.7: getUserOpHash of the EntryPoint"],
  ["What owners sign", "the ERC-7579 adapter of Safe: getSafeOp, as EIP-712 typed data"],
  [
    "What the wallet is told to call",
    "ERC-7579: execute(bytes32,bytes), one call or a batch that fails as one"
  ],
  ["Gas", "eth_estimateUserOperationGas of the bundler, within SERVICE_OPERATION_GAS"],
  ["Fees", "twice the base fee of the head, and what the node and the bundler ask for as a priority"],
  [
    "Who pays, where a paymaster does",
    "ERC-7677: its stub and its data, of an address that the manifest pins"
  ],
  ["That it was executed", "UserOperationEvent of the pinned EntryPoint, in a block of the canonical chain"],
  [
    "That it never can be executed any more",
    "a block with the tag finalized behind validUntil, and the wallet's nonce there"
  ]
] as const

const INTRO = html`<p>A wallet of several owners acts by user operations: its owners sign one, a bundler carries it to the chain's EntryPoint, and the wallet or a paymaster pays for its gas. Nothing that a bundler or a paymaster says is believed: that an operation was executed is what its chain says.</p>
<ol>
<li>Bind the wallet to the account, and prepare a plan for it.</li>
<li>Prepare an operation for steps of the plan. Nothing is reserved by that.</li>
<li>Compute the calldata, the hash, the digest and the commitment anew, and have as many owners sign as the threshold asks for.</li>
<li>Submit the envelope before ${codeHtml("expiresAt")}, which is 40 seconds before ${codeHtml("validUntil")} at the latest: bundlers take nothing that ends within 30 seconds. The steps are bound to the operation and its nonce is taken for good, and the operation is sent once for ever.</li>
<li>Look again with ${codeHtml("wait")} and ${codeHtml("since")} until nothing more happens by itself: ${codeHtml("nextAction")} says what does.</li>
</ol>
<p><a href="/docs/guides/a-wallet-of-two-owners-pays">A guide</a> does all of it by commands and by a program, from the wallet's creation on.</p>`

export const userOperationsPage = (document: Document): string =>
  layout(
    "User operations",
    "/docs/user-operations",
    html`${INTRO}
<h2 id="routes">Routes</h2>
${tableHtml(["Route", ""], routeRows(document, "UserOperations"))}
<h2 id="signed">What the owners sign</h2>
${block(SIGNED)}
<p>The domain is the wallet's adapter. The operation's signature is ${codeHtml("validAfter")} and ${codeHtml("validUntil")} in 6 bytes each, then 65 bytes for each signer with v 27 or 28 and a low s, in the ascending order of their addresses.</p>
<h2 id="states">States</h2>
<p>Made of what is stored and of what the chain shows; none is the bundler's word.</p>
${tableHtml(["State", "Meaning"], meaningRows(operationMeanings))}
<h2 id="problems">Problems</h2>
${tableHtml(["Code", "Status", "When"], problemRows({ ...userOperationProblems, ...operationSubmissionProblems }))}
<h2 id="sources">Where the rules come from</h2>
${tableHtml(["Rule", "Source"], sourceRows(SOURCES))}
${schemasHtml(document, { $ref: "#/components/schemas/UserOperation" })}`
  )
