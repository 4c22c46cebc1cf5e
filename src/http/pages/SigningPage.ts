/** How to sign a request, with an example whose every value is one of the published test vectors. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { packageRoot } from "../../settings/PackageRoot.ts"
import { adviceByCause } from "../../signatures/LikelyCause.ts"
import {
  CONSOLE_KEY_DOMAIN,
  CONSOLE_KEY_LABEL,
  consoleKeyMembers,
  consoleKeyPurpose
} from "../../values/ConsoleKey.ts"
import {
  DOMAIN_NAME,
  DOMAIN_VERSION,
  domainMembers,
  encodeType,
  messageTypes,
  REQUEST_WINDOW,
  type TypedDataMember
} from "../../values/TypedData.ts"
import { block, codeHtml, type Html, html, tableHtml } from "./Html.ts"
import { layout } from "./Layout.ts"

const EXAMPLE = "post-json"

const Scalar = Schema.Union(Schema.String, Schema.Number)

const Vector = Schema.Struct({
  name: Schema.String,
  audience: Schema.String,
  chainId: Schema.Number,
  body: Schema.String,
  message: Schema.Record({ key: Schema.String, value: Scalar }),
  signature: Schema.String,
  trace: Schema.Struct({
    domain: Schema.Struct({
      hash: Schema.String,
      members: Schema.Array(Schema.Struct({ name: Schema.String, value: Scalar }))
    }),
    message: Schema.Struct({ hash: Schema.String }),
    digest: Schema.String
  })
})
type Vector = typeof Vector.Type

const Key = Schema.Struct({ privateKey: Schema.String, address: Schema.String })
const decodeVectors = Schema.decodeUnknownSync(Schema.Struct({ vectors: Schema.Array(Schema.Unknown) }))
const decodeKeys = Schema.decodeUnknownSync(Schema.Struct({ keys: Schema.Array(Key) }))
const isVector = Schema.is(Vector)

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(packageRoot, "schema", "vectors", name), "utf8"))

const findExample = () => {
  const { vectors } = decodeVectors(read("requests.json"))
  const vector = vectors.find((item): item is Vector => isVector(item) && item.name === EXAMPLE)
  const key = decodeKeys(read("keys.json")).keys.find(({ address }) => address === vector?.message.signer)
  return vector && key ? { vector, key } : undefined
}

const headersOf = ({ audience, message, signature }: Vector): string =>
  [
    ["Host", new URL(audience).host],
    ["X-Service-Account", message.accountId],
    ["X-Service-Signer", message.signer],
    ["X-Service-Issued-At", message.issuedAt],
    ["X-Service-Expires-At", message.expiresAt],
    ["X-Service-Nonce", message.nonce],
    ["X-Service-Signature", signature],
    ["Content-Type", message.contentType]
  ]
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

const typedDataOf = ({ message, trace }: Vector): string =>
  JSON.stringify(
    {
      domain: Object.fromEntries(trace.domain.members.map(({ name, value }) => [name, value])),
      primaryType: "ServiceRequest",
      message
    },
    null,
    2
  )

const exampleHtml = (): Html => {
  const example = findExample()
  if (example === undefined) return html``
  const { vector, key } = example
  const body = Buffer.from(vector.body.slice(2), "hex").toString()
  return html`<h2 id="example">A worked example</h2>
<p>The key is public and for this example alone: ${codeHtml(key.privateKey)}, address ${codeHtml(key.address)}. The audience is ${codeHtml(vector.audience)}, the authority chain ${codeHtml(String(vector.chainId))}.</p>
<h4>What is signed</h4>${block(typedDataOf(vector))}
<h4>Hashes on the way</h4>${block(
    `keccak256(body)   ${vector.message.bodyHash}\ndomain separator  ${vector.trace.domain.hash}\nmessage hash      ${vector.trace.message.hash}\ndigest            ${vector.trace.digest}`
  )}
<h4>What is sent</h4>${block(`${vector.message.method} ${vector.message.requestTarget} HTTP/1.1\n${headersOf(vector)}\n\n${body}`)}
<p>The files under ${codeHtml("schema/vectors")} of the project hold this one and hundreds more, accepted and refused, with every intermediate value.</p>`
}

const MEANINGS: Readonly<Record<string, string>> = {
  audience: "the public URL of the service, as its capabilities report it, without a trailing slash",
  accountId: "X-Service-Account, character for character",
  signer: "X-Service-Signer",
  grantId: "X-Service-Grant, or the empty text where the owner signs",
  method: "the method in upper case",
  requestTarget:
    "path and query exactly as they are sent, escapes and order included, in the form that a URL parser leaves alone: an apostrophe in a query is %27",
  contentType: "the Content-Type header exactly as it is sent, or the empty text without one",
  bodyHash: "keccak256 of the body's bytes; of no bytes where there is no body",
  issuedAt: "X-Service-Issued-At",
  expiresAt: `X-Service-Expires-At, at most ${REQUEST_WINDOW.maximumSeconds} seconds later`,
  nonce: "X-Service-Nonce: 32 random bytes in lower case, never used before by the account",
  idempotencyKey: "Idempotency-Key, or the empty text without one"
}

const memberRow = ({ name, type }: TypedDataMember): Html =>
  html`<tr><td>${codeHtml(name)}</td><td>${codeHtml(type)}</td><td>${MEANINGS[name] ?? ""}</td></tr>`

const typeBlock = (): string =>
  Object.entries({ EIP712Domain: domainMembers, ...messageTypes })
    .map(([name, members]) => encodeType(name, members))
    .join("\n\n")

export const signingPage = (audience: string): string =>
  layout(
    "Signing",
    "/docs/signing",
    html`<p>Every request beyond discovery carries an EIP-712 signature over exactly what is sent. There is no other credential: no password, no session, no bearer token.</p>
<ol>
<li>Take the raw bytes of the body and the target as they will be on the wire.</li>
<li>Fill the twelve members of ${codeHtml("ServiceRequest")} below.</li>
<li>Sign the typed data with the owner's wallet or with a bot's key.</li>
<li>Send the members as headers, unchanged, before ${codeHtml("expiresAt")}.</li>
</ol>
<h2 id="domain">Domain</h2>
${block(`name     ${DOMAIN_NAME}\nversion  ${DOMAIN_VERSION}\nchainId  the authority chain of the account: the number in its id\nsalt     keccak256 of the UTF-8 bytes of the audience`)}
<p>This deployment's audience is ${codeHtml(audience)}. There is no ${codeHtml("verifyingContract")}: list ${codeHtml("EIP712Domain")} among the types yourself, because many libraries leave ${codeHtml("salt")} out otherwise.</p>
<h2 id="members">The members</h2>
${tableHtml(["Member", "Type", "Value"], messageTypes.ServiceRequest.map(memberRow))}
<p>A signature is 65 bytes with v 27 or 28 and a low s. An owner may be a contract wallet that stands on the authority chain: then a signature is 1 to 8,192 bytes for which its ${codeHtml("isValidSignature(bytes32,bytes)")} returns the one word of ${codeHtml("0x1626ba7e")} at the latest block, with 500,000 gas. One that is not deployed, with the wrapper of ERC-6492, is refused. Such an owner reads and prepares plans, but signs no transaction and no sponsored request: for what leaves from here, enrol the key of one of the wallet's owners and <a href="/docs/smart-accounts">bind the wallet</a>. A bot signs with a plain key and sends the id of its grant in ${codeHtml("X-Service-Grant")}.</p>
<h2 id="again">Asking again</h2>
<p>A request that was not answered, or by ${codeHtml("NONCE_REUSED")} or a status of 500 and above, may have been carried out: a connection that breaks, or a gateway or HTTP library that delivers a request twice by itself, hides the first answer. Send the same method, target, content type and body bytes under the same ${codeHtml("Idempotency-Key")}, with a new nonce, new times and a new signature. The answer is the first one's, marked ${codeHtml("Idempotent-Replayed: true")}, or that of a request which is carried out now; nothing is done twice. A plan's step and a sponsorship are safe without that too: what left is found again by the plan, so look at the plan before you prepare another or sign another transaction.</p>
<p>Each nonce is kept until its request's window is over, and the account has room for a bounded number of them. Windows of 60 seconds free them sooner than the longest.</p>
${exampleHtml()}
<h2 id="types">All signed types</h2>
<p>${codeHtml("ServiceBotProof")} proves that a bot's key agrees to its grant; the approvals are an owner's consent to one dispatch.</p>
${block(typeBlock())}
<h2 id="console-key">The key of a console's tab</h2>
<p>Whoever stays signed in at the <a href="/console">console</a> is asked twice. First the wallet signs ${codeHtml("ServiceConsoleKey")}, of a domain of its own: name ${codeHtml(CONSOLE_KEY_DOMAIN.name)}, version ${codeHtml(CONSOLE_KEY_DOMAIN.version)}, chain and salt as above. It names the site, the account and the hash of 32 secret bytes that the tab has just made; the tab's key is keccak256 of the text ${codeHtml(CONSOLE_KEY_LABEL)}, the secret bytes and the signature. Then the owner grants that key ${codeHtml("read")}, ${codeHtml("plan")} and ${codeHtml("relay")} for an hour.</p>
${block(encodeType("ServiceConsoleKey", consoleKeyMembers))}
<p>${consoleKeyPurpose(audience)}</p>
<p>The key is in the tab's memory alone. While a transaction that the wallet sent is not bound to its plan, the browser keeps the secret bytes beside its hash, so that a page which was closed too early can have the wallet sign the same message and go on; they are removed once the transaction is bound, at signing out, and when the grant has ended. A site that has the owner sign this message gets no key, because it lacks the secret; whoever reads the browser's storage gets none, because the wallet's signature is missing; who has both has the rights of that one grant until it ends, which moves nothing without the owner's approval. A script that runs within the console's own origin could use the key while the tab is open, as it could ask the wallet anything: the origin's security policy lets in no script but its own. A wallet that signs the same message differently each time, as wallets of several parties do, makes another key: then what was sent is followed through the wallet's node.</p>
<h2 id="refused">When a signature is refused</h2>
<p>${codeHtml("INVALID_SIGNATURE")} carries a ${codeHtml("diagnosis")}: the twelve members, the digest as the service computed it, the address it recovered and, where one classic mistake explains the difference, its name. Compare member by member. A bot's proof and an owner's approval are refused with digest, address and mistake in the ${codeHtml("context")}. <a href="/docs/errors#invalid_signature">All codes</a>.</p>
${tableHtml(
  ["likelyCause", "What to do"],
  Object.entries(adviceByCause).map(
    ([cause, advice]) => html`<tr><td>${codeHtml(cause)}</td><td>${advice}</td></tr>`
  )
)}`
  )
