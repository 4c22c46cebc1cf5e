import { checksummed } from "../../src/values/Checksum.ts"
import { requestDigest } from "../../src/values/TypedDataHash.ts"
import { sign } from "../../test/signatures/TestKeys.ts"
import { accepted } from "./Request.ts"
import { AUDIENCE, accountId, bot, CHAIN, GRANT, type Hex, NOW, owner, PLAN, word } from "./Vector.ts"

const account = `/api/v1/accounts/${accountId(CHAIN)}`

const targets = [
  accepted("get", "A read without a body: empty content type, hash of no bytes.", {}),
  accepted("get-query", "The raw query is part of the target.", {
    change: { requestTarget: `${account}/plans?limit=10&after=x` }
  }),
  accepted("get-query-reordered", "The same parameters in another order are another target.", {
    change: { requestTarget: `${account}/plans?after=x&limit=10` }
  }),
  accepted("percent-escape-upper", "Escapes are signed as they are sent.", {
    change: { requestTarget: "/api/v1/x?q=a%2Fb%20c" }
  }),
  accepted("percent-escape-lower", "The same escapes in lower case are another target.", {
    change: { requestTarget: "/api/v1/x?q=a%2fb%20c" }
  }),
  accepted("percent-escape-unicode", "Non-ASCII characters travel escaped.", {
    change: { requestTarget: "/api/v1/x?q=%E2%9C%93%F0%9F%8C%B1" }
  }),
  accepted("query-plus-and-empty", "A plus sign, an empty value and an equals sign in a value.", {
    change: { requestTarget: "/api/v1/x?a=1+1&b=&c=d=e" }
  }),
  accepted("target-4096", "The longest target.", {
    change: { requestTarget: `/api/v1/x?q=${"a".repeat(4084)}` }
  }),
  ...["HEAD", "DELETE", "OPTIONS"].map(method =>
    accepted(`method-${method.toLowerCase()}`, "Methods are signed in upper case.", { change: { method } })
  )
]

const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)

const bodies = [
  accepted("post-json", "The body's exact bytes are hashed.", { body: '{"a":1,"b":[true,null]}' }),
  accepted("post-json-spaces", "White space is part of the body.", {
    body: '{ "a": 1,\r\n\t"b": [true, null] }\n'
  }),
  accepted("post-json-empty-object", "Two bytes.", { body: "{}" }),
  accepted("post-json-unicode", "UTF-8 of several widths, composed and decomposed.", {
    body: '{"é":"é €𝄞👩‍👩‍👧 \u202eabc"}'
  }),
  accepted("post-json-escapes", "Escapes stay escapes.", { body: '{"a":"\\ud83d\\ude00\\u0000\\/"}' }),
  accepted("post-json-number-form", "Numbers keep their form.", { body: '{"a":1.0,"b":1e3,"c":-0}' }),
  accepted("post-bytes", "Every byte value; hashing knows nothing of text.", { body: every }),
  accepted("post-2-kib", "2 KiB.", { body: `{"a":"${"x".repeat(2040)}"}` }),
  accepted("post-136", "One byte block of the hash is filled exactly.", { body: "x".repeat(136) }),
  accepted("put", "Another method with a body.", {
    body: '{"displayName":"A"}',
    change: { method: "PUT", requestTarget: `${account}/profile` }
  }),
  accepted("patch", "Another method with a body.", { body: "{}", change: { method: "PATCH" } }),
  accepted("post-without-body", "A body-less POST with a content type.", {
    change: { method: "POST", contentType: "application/json" }
  })
]

const headers = [
  accepted("content-type-charset", "The content type is signed exactly as sent.", {
    body: "{}",
    change: { contentType: "application/json; charset=utf-8" }
  }),
  accepted("content-type-odd-form", "Case and spaces of the content type count.", {
    body: "{}",
    change: { contentType: "Application/JSON ;charset=UTF-8" }
  }),
  accepted("content-type-256", "The longest content type.", {
    body: "{}",
    change: { contentType: `application/json; a=${"b".repeat(236)}` }
  }),
  accepted("idempotency-key", "Every character that a key may have.", {
    body: "{}",
    change: { idempotencyKey: "AZaz09._:-" }
  }),
  accepted("idempotency-key-128", "The longest key.", {
    body: "{}",
    change: { idempotencyKey: "k".repeat(128) }
  }),
  accepted("bot", "A bot signs with its own key and names its grant.", {
    key: bot,
    change: { grantId: GRANT }
  }),
  accepted("bot-submission", "A bot with body, key and grant.", {
    key: bot,
    body: '{"signedTransaction":"0x02"}',
    change: {
      grantId: GRANT,
      idempotencyKey: "step:0",
      requestTarget: `/api/v1/plans/${PLAN}/steps/0/submissions`
    }
  }),
  accepted(
    "signer-checksummed",
    "The case of an address is not part of its encoding: same digest as `get`.",
    {
      change: { signer: checksummed(owner.address) }
    }
  ),
  accepted("nonce-zero", "All bits clear.", { change: { nonce: word("00") } }),
  accepted("nonce-ones", "All bits set.", { change: { nonce: word("ff") } })
]

const places = [
  accepted("chain-1", "Another authority chain.", { chainId: 1 }),
  accepted("chain-sepolia", "A test network.", { chainId: 11155111 }),
  accepted("chain-largest", "The largest chain id that JSON carries exactly.", {
    chainId: Number.MAX_SAFE_INTEGER
  }),
  accepted("audience-localhost", "A local service.", { audience: "http://localhost:8080", chainId: 31337 }),
  accepted("audience-ipv6", "A local service by address.", { audience: "http://[::1]:8080", chainId: 31337 }),
  accepted("audience-path-port", "An audience with port and path.", {
    audience: "https://example.org:8443/service"
  }),
  accepted("audience-punycode", "An internationalised host name.", {
    audience: "https://xn--bcher-kva.example"
  })
]

const times = [
  accepted("window-300", "The longest window.", { change: { expiresAt: NOW + 300 } }),
  accepted("window-1", "The shortest window.", { change: { expiresAt: NOW + 1 } }),
  accepted("last-second", "One second before the end.", { serverTime: NOW + 59 }),
  accepted("ahead-30", "A clock 30 seconds ahead is allowed.", { serverTime: NOW - 30 }),
  accepted("time-zero", "Small integers.", { change: { issuedAt: 0, expiresAt: 1 }, serverTime: 0 }),
  accepted("time-13-digits", "The largest time that a header carries.", {
    change: { issuedAt: 9_999_999_999_990, expiresAt: 9_999_999_999_999 },
    serverTime: 9_999_999_999_990
  })
]

type Request = Parameters<typeof requestDigest>[2]

/** The first nonce, counted up, whose signature has the wanted form. */
const grind = (fits: (signature: Hex) => boolean): Hex => {
  const { audience: _, ...message } = accepted("", "", {}).message
  const base: Request = message
  for (let count = 1n; ; count++) {
    const nonce: Hex = `0x${count.toString(16).padStart(64, "0")}`
    if (fits(sign(owner, requestDigest(AUDIENCE, CHAIN, { ...base, nonce })))) return nonce
  }
}

const forms = [
  accepted("v-27", "Recovery id 0.", { change: { nonce: grind(signature => signature.endsWith("1b")) } }),
  accepted("v-28", "Recovery id 1.", { change: { nonce: grind(signature => signature.endsWith("1c")) } }),
  accepted("r-leading-zero", "r keeps its leading zero byte.", {
    change: { nonce: grind(signature => signature.startsWith("0x00")) }
  }),
  accepted("s-leading-zero", "s keeps its leading zero byte.", {
    change: { nonce: grind(signature => signature.slice(66, 68) === "00") }
  })
]

export const acceptedRequests = [...targets, ...bodies, ...headers, ...places, ...times, ...forms]
