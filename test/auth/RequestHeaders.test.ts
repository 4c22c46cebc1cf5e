import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { parseSignedHeaders } from "../../src/auth/SignedRequest.ts"

const OWNER = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
const PROPER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

const good: Readonly<Record<string, string>> = {
  "x-service-account": `eip155:1:${OWNER}`,
  "x-service-signer": PROPER,
  "x-service-issued-at": "1000",
  "x-service-expires-at": "1060",
  "x-service-nonce": `0x${"0f".repeat(32)}`,
  "x-service-signature": `0x${"ab".repeat(65)}`
}

const outcome = (over: Readonly<Record<string, string | ReadonlyArray<string>>>): string => {
  const values = Object.entries({ ...good, ...over }).map(
    ([name, value]) => [name, typeof value === "string" ? [value] : value] as const
  )
  return Either.match(parseSignedHeaders(new Map(values)), {
    onLeft: ({ _tag }) => _tag,
    onRight: () => "OK"
  })
}

const cases = (name: string, accepted: ReadonlyArray<string>, refused: ReadonlyArray<string>) =>
  it(name, () => {
    for (const value of accepted) assert.strictEqual(outcome({ [name]: value }), "OK", value)
    for (const value of refused) assert.strictEqual(outcome({ [name]: value }), "INVALID_AUTH", value)
  })

describe("signature headers", () => {
  cases(
    "x-service-account",
    [`eip155:9007199254740991:${OWNER}`],
    [
      `eip155:9007199254740992:${OWNER}`,
      `eip155:0:${OWNER}`,
      `eip155:01:${OWNER}`,
      `eip155:1:${PROPER}`,
      `eip155:1:${OWNER}0`,
      `eip155:-1:${OWNER}`,
      `1:${OWNER}`,
      OWNER
    ]
  )
  cases(
    "x-service-signer",
    [OWNER, `0x${OWNER.slice(2).toUpperCase()}`],
    [OWNER.slice(2), PROPER.replace("aA", "Aa"), `${OWNER}0`, OWNER.replace("0x", "0X"), "owner"]
  )
  cases(
    "x-service-nonce",
    [],
    [
      `0x${"0F".repeat(32)}`,
      "0f".repeat(32),
      `0x${"0f".repeat(31)}`,
      `0x${"0f".repeat(33)}`,
      `0X${"0f".repeat(32)}`
    ]
  )
  cases(
    "x-service-signature",
    ["0x00", `0x${"AB".repeat(65)}`, `0x${"ab".repeat(8192)}`],
    ["0x", "0x0", "ab", `0x${"ab".repeat(8193)}`, "0xzz", `0X${"ab".repeat(65)}`]
  )
  cases(
    "x-service-grant",
    ["", "01234567-89ab-cdef-0123-456789abcdef"],
    ["01234567-89AB-cdef-0123-456789abcdef", "null", "0", "0123456789abcdef0123456789abcdef"]
  )
  cases(
    "idempotency-key",
    ["", "a", "A-Za.z_0:9", "a".repeat(128)],
    ["a".repeat(129), "a b", "a/b", "é", "a,b"]
  )
  cases("x-service-issued-at", ["0", "9999999999999"], ["00", "10000000000000", "-0", "1.", "١"])
  cases("x-service-expires-at", ["0", "9999999999999"], ["00", "10000000000000", "1_000"])

  it("are all there, the grant and the idempotency key aside", () => {
    for (const name of Object.keys(good)) {
      assert.strictEqual(outcome({ [name]: [] }), "AUTH_REQUIRED", name)
      assert.strictEqual(outcome({ [name]: "" }), "AUTH_REQUIRED", name)
    }
  })

  it("are given once, even when they agree", () => {
    for (const [name, value] of Object.entries({ ...good, "x-service-grant": "", "idempotency-key": "a" }))
      assert.strictEqual(outcome({ [name]: [value, value] }), "INVALID_AUTH", name)
  })
})
