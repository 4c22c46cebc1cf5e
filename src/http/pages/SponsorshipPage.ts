/** How somebody else pays a plan's gas: the way, what is signed, states, problems, and where each rule comes from. */
import { doubtMeanings, stateMeanings } from "../../sponsorship/SponsorshipMeanings.ts"
import { forwarderDomainMembers, forwardRequestMembers } from "../../values/ForwardRequest.ts"
import { sponsorshipProblems } from "../../values/SponsorshipProblems.ts"
import { encodeType } from "../../values/TypedData.ts"
import type { Document } from "../openapi/Document.ts"
import { block, codeHtml, html, tableHtml } from "./Html.ts"
import { layout } from "./Layout.ts"
import { meaningRows, problemRows, routeRows, sourceRows } from "./Rows.ts"
import { schemasHtml } from "./SchemaHtml.ts"

const SIGNED = [
  encodeType("EIP712Domain", forwarderDomainMembers),
  encodeType("ForwardRequest", forwardRequestMembers)
].join("\n\n")

const SOURCES = [
  ["The digest of a request, and how it is signed", "EIP-712"],
  [
    "The request's members, its call execute, the event of its execution",
    "ERC2771Forwarder of OpenZeppelin Contracts 5"
  ],
  [
    "The forwarder of a chain, and its code",
    "the contract catalog: one deployment in use, by the hash of its runtime code"
  ],
  ["The forwarder's domain", "ERC-5267: eip712Domain() of the forwarder itself, compared with the catalog's"],
  [
    "That a contract takes calls by a forwarder",
    "ERC-2771: isTrustedForwarder(address) of the called contract"
  ],
  ["That the calls of one chain run one after the other", "eth_simulateV1 at one block"],
  [
    "What pays for a bundle",
    "prepayment(bytes16,uint40) of the contract that SERVICE_PROVIDER_PAYMENTS pins"
  ],
  [
    "That a request was executed",
    "the receipt of a block of the canonical chain; debug_traceTransaction where the transaction around it is neither execute nor executeBatch"
  ],
  [
    "That a request never can be executed any more",
    "a block with the tag finalized behind its deadline, and the forwarder's nonces(address) there"
  ]
] as const

const INTRO = html`<p>A plan's step leaves as the wallet's own transaction, or as an ERC-2771 request that the wallet signs and a forwarder executes for it, once. Whoever sends the request there pays the gas: a prepaid provider does, for a payment that comes first. Nothing that the provider says is believed: its price is shown once it is proved to be for these requests and this contract, and that they were executed is what their chains say.</p>
<ol>
<li>Prepare requests for the steps of a plan. Nothing is reserved, and nobody but who asks sees them.</li>
<li>Compute the commitment and each digest anew, and sign the requests with the plan's wallet.</li>
<li>Publish them. The steps are bound to the forwarder for good, and the provider gets the requests once for ever, whatever it answers. A bot needs the owner's consent to exactly these signatures.</li>
<li>Look again with ${codeHtml("refresh=true")} until the quote is proved, prepare a plan that pays it, and send that plan's transaction.</li>
<li>Look again until nothing more happens by itself: ${codeHtml("nextAction")} says what does.</li>
</ol>
<p><a href="/docs/guides/somebody-else-pays-the-gas">A guide</a> does all of it by one command and by a program; ${codeHtml("service sponsor")}, ${codeHtml("client.sponsorships.carryOut")} and the page of a plan in the <a href="/console">console</a> do it too.</p>`

export const sponsorshipPage = (document: Document): string =>
  layout(
    "Sponsorship",
    "/docs/sponsorship",
    html`${INTRO}
<h2 id="routes">Routes</h2>
${tableHtml(["Route", ""], routeRows(document, "Sponsorship"))}
<h2 id="signed">What the wallet signs</h2>
${block(SIGNED)}
<p>The domain is the forwarder's own, with version 1 and no salt. A signature is 65 bytes with v 27 or 28 and a low s; a wallet with code cannot sign requests. The nonce is the wallet's at the forwarder and stands in no call: requests of one chain are executed in their order, and of those with one nonce one alone.</p>
<h2 id="states">States</h2>
<p>Made of what is stored and of what the chains show; none is the provider's word.</p>
${tableHtml(["State", "Meaning"], meaningRows(stateMeanings))}
<h2 id="doubts">Why a quote is not proved</h2>
<p>${codeHtml("quote.reason")} says it, and no payment is shown meanwhile.</p>
${tableHtml(["Reason", "Meaning"], meaningRows(doubtMeanings))}
<h2 id="problems">Problems</h2>
${tableHtml(["Code", "Status", "When"], problemRows(sponsorshipProblems))}
<h2 id="sources">Where the rules come from</h2>
${tableHtml(["Rule", "Source"], sourceRows(SOURCES))}
${schemasHtml(document, { $ref: "#/components/schemas/Sponsorship" })}`
  )
