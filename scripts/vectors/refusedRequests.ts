import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import { saltlessRequestDigest } from "../../src/values/TypedDataHash.ts"
import { sign } from "../../test/signatures/TestKeys.ts"
import { refused, signedAs } from "./Request.ts"
import { refusedForms } from "./refusedForms.ts"
import { AUDIENCE, accountId, CHAIN, GRANT, NOW, owner, stranger, word } from "./Vector.ts"

const unsigned = refused("INVALID_SIGNATURE")
const outOfTime = refused("AUTH_EXPIRED")

const spaced = '{"b": 1, "a": [true, null]}'
const compact = '{"b":1,"a":[true,null]}'
const query = { requestTarget: "/api/v1/x?limit=1" }

const mistakes = [
  unsigned(
    "query-dropped",
    "The path was signed without its query.",
    { change: query, sign: signedAs({ requestTarget: "/api/v1/x" }) },
    "query-dropped"
  ),
  unsigned(
    "body-reserialised-compact",
    "The JSON was signed without the spaces it was sent with.",
    {
      body: spaced,
      sign: signedAs({ bodyHash: keccak256Utf8(compact) })
    },
    "body-reserialised"
  ),
  unsigned(
    "body-reserialised-sorted",
    "The JSON was signed with sorted keys.",
    {
      body: compact,
      sign: signedAs({ bodyHash: keccak256Utf8(canonicalJson(JSON.parse(compact))) })
    },
    "body-reserialised"
  ),
  unsigned(
    "content-type-unsigned",
    "The content type was sent and not signed.",
    { body: "{}", sign: signedAs({ contentType: "" }) },
    "content-type"
  ),
  unsigned(
    "content-type-appended",
    "The client's HTTP library appended a parameter.",
    {
      body: "{}",
      change: { contentType: "application/json; charset=utf-8" },
      sign: signedAs({ contentType: "application/json" })
    },
    "content-type"
  ),
  unsigned(
    "content-type-on-get",
    "A content type was signed and not sent.",
    { sign: signedAs({ contentType: "application/json" }) },
    "content-type"
  ),
  unsigned(
    "audience-slash",
    "The audience was signed with a trailing slash.",
    { sign: signedAs({ audience: `${AUDIENCE}/` }) },
    "wrong-audience"
  ),
  unsigned(
    "audience-http",
    "The audience was signed with the other scheme.",
    { sign: signedAs({ audience: "http://api.example" }) },
    "wrong-audience"
  ),
  unsigned(
    "audience-loopback",
    "localhost and 127.0.0.1 are two audiences.",
    {
      audience: "http://localhost:8080",
      sign: signedAs({ audience: "http://127.0.0.1:8080" })
    },
    "wrong-audience"
  ),
  unsigned("chain-mainnet", "Signed for chain 1.", { sign: signedAs({}, 1) }, "wrong-chain"),
  unsigned(
    "chain-configured",
    "Signed for another chain of the service.",
    { sign: signedAs({}, 10) },
    "wrong-chain"
  ),
  unsigned(
    "salt-missing",
    "The domain was signed without its salt.",
    {
      sign: (_, message) => sign(owner, saltlessRequestDigest(AUDIENCE, CHAIN, message))
    },
    "salt-missing"
  )
]

const changes = [
  unsigned("other-signer", "Another key signed.", { sign: digest => sign(stranger, digest) }),
  unsigned("account-changed", "Signed for another account.", {
    sign: signedAs({ accountId: accountId(CHAIN, stranger.address) })
  }),
  unsigned("signer-changed", "Signed with another signer in the message.", {
    sign: signedAs({ signer: stranger.address })
  }),
  unsigned("grant-dropped", "The grant was sent and not signed.", {
    change: { grantId: GRANT },
    sign: signedAs({ grantId: "" })
  }),
  unsigned("method-lower-case", "The method was signed in lower case.", {
    sign: signedAs({ method: "get" })
  }),
  unsigned("target-changed", "Signed for another path.", {
    sign: signedAs({ requestTarget: "/api/v1/other" })
  }),
  unsigned("escape-case-changed", "An intermediary changed the case of an escape.", {
    change: { requestTarget: "/api/v1/x%3A" },
    sign: signedAs({ requestTarget: "/api/v1/x%3a" })
  }),
  unsigned("target-with-origin", "Signed with the origin in the target.", {
    sign: signedAs({ requestTarget: `${AUDIENCE}/api/v1/capabilities` })
  }),
  unsigned("body-changed", "One byte of the body differs.", {
    body: '{"a":1}',
    sign: signedAs({ bodyHash: keccak256Utf8('{"a":2}') })
  }),
  unsigned("body-hash-zero", "No body was signed as zero instead of the hash of no bytes.", {
    sign: signedAs({ bodyHash: word("00") })
  }),
  unsigned("issued-changed", "One second earlier was signed.", { sign: signedAs({ issuedAt: NOW - 1 }) }),
  unsigned("expires-changed", "One second later was signed.", { sign: signedAs({ expiresAt: NOW + 61 }) }),
  unsigned("nonce-changed", "Another nonce was signed.", { sign: signedAs({ nonce: word("5f") }) }),
  unsigned("idempotency-key-dropped", "The key was sent and not signed.", {
    change: { idempotencyKey: "k" },
    sign: signedAs({ idempotencyKey: "" })
  }),
  unsigned("two-mistakes", "Neither mistake alone explains the signature.", {
    change: query,
    sign: signedAs({ requestTarget: "/api/v1/x" }, 1)
  }),
  unsigned("audience-foreign", "Signed for another service.", {
    sign: signedAs({ audience: "https://other.example" })
  })
]

const times = [
  outOfTime("expired", "A minute too late.", { serverTime: NOW + 120 }, "clock"),
  outOfTime("expired-now", "The end of the window is outside it.", { serverTime: NOW + 60 }, "clock"),
  outOfTime("ahead-31", "A clock 31 seconds ahead.", { serverTime: NOW - 31 }, "clock"),
  outOfTime(
    "milliseconds",
    "Times in milliseconds.",
    { change: { issuedAt: NOW * 1000, expiresAt: (NOW + 60) * 1000 } },
    "clock"
  ),
  outOfTime("window-301", "A window of 301 seconds.", { change: { expiresAt: NOW + 301 } }),
  outOfTime("window-empty", "The end equals the start.", {
    change: { issuedAt: NOW + 10, expiresAt: NOW + 10 }
  }),
  outOfTime("window-inverted", "The end is before the start.", {
    change: { issuedAt: NOW + 20, expiresAt: NOW + 10 }
  })
]

export const refusedRequests = [...mistakes, ...changes, ...refusedForms, ...times]
