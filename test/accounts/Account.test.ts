import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { BotRegistrationBody, ProfileReplacement, Scopes } from "../../src/accounts/Account.ts"

const outcome = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (value: unknown) => decode(value)._tag
}

const profile = outcome(ProfileReplacement)
const avatar = (avatarUri: unknown) => profile({ avatarUri })

const bytes = (count: number) => ["a".repeat(count), "é".repeat(count / 2), "😀".repeat(count / 4)]

describe("a profile", () => {
  it("bounds texts by their UTF-8 bytes", () => {
    for (const [member, limit] of [
      ["displayName", 120],
      ["bio", 2000]
    ] as const) {
      for (const text of bytes(limit)) {
        assert.strictEqual(profile({ [member]: text.slice(0, -2) }), "Right")
        assert.strictEqual(profile({ [member]: text }), "Right")
        assert.strictEqual(profile({ [member]: `${text}a` }), "Left")
      }
    }
  })

  it("takes tab, LF and CR and no other control character, and no half of a pair", () => {
    for (const text of ["", "\t\n\r", "\u00a0", "a\u200b", "\u202e", "😀"])
      assert.strictEqual(profile({ bio: text }), "Right")
    for (const text of [
      "\u0000",
      "a\u0007",
      "\u000b",
      "\u000c",
      "\u001b[0m",
      "\u007f",
      "\u0085",
      "\ud83d",
      "\ude00a"
    ])
      assert.strictEqual(profile({ bio: text }), "Left", JSON.stringify(text))
  })

  it("takes an avatar by https or ipfs, with a host and no user", () => {
    for (const uri of [
      null,
      "https://a",
      "https://a.example/b?c#d",
      "ipfs://bafy/1.png",
      "https://[::1]/",
      "https://a:8080/x",
      "https://é.example/ü"
    ])
      assert.strictEqual(avatar(uri), "Right", String(uri))
    for (const uri of [
      "",
      "https://",
      "https:///a",
      "ipfs://",
      "ipfs:///a",
      "http://a",
      "HTTPS://a",
      "Ipfs://a",
      "https:a",
      "https:/a",
      "data:image/png,a",
      "javascript:alert(1)",
      " https://a",
      "https://a ",
      "https://a b",
      "https://a\n",
      "https://a\tb",
      "https://u@a",
      "https://u:p@a",
      "https://@a",
      "https://:@a",
      "ipfs://u@a",
      "ipfs://:@a",
      "https://a:99999",
      "https://?a",
      "https://#a",
      "https://\\a",
      "https://a\u0000",
      "https://a\ud800",
      1,
      {},
      undefined
    ])
      assert.strictEqual(avatar(uri), uri === undefined ? "Right" : "Left", JSON.stringify(uri))
  })

  it("bounds an avatar at 2048 UTF-8 bytes", () => {
    const of = (length: number) => `https://a/${"b".repeat(length - 10)}`
    assert.deepStrictEqual(
      [2047, 2048, 2049].map(length => avatar(of(length))),
      ["Right", "Right", "Left"]
    )
    assert.strictEqual(avatar(`https://a/${"é".repeat(1019)}`), "Right")
    assert.strictEqual(avatar(`https://a/${"é".repeat(1020)}`), "Left")
  })

  it("returns every member left out to its default and knows no other", () => {
    assert.deepStrictEqual(Schema.decodeUnknownSync(ProfileReplacement)({}), {
      displayName: "",
      bio: "",
      avatarUri: null
    })
    for (const value of [
      { displayname: "" },
      { id: "" },
      { displayName: null },
      { bio: 1 },
      [],
      null,
      "",
      { profile: {} }
    ])
      assert.strictEqual(profile(value), "Left", JSON.stringify(value))
  })
})

describe("a grant's terms", () => {
  it("has exactly three lists of scopes", () => {
    const scopes = outcome(Scopes)
    for (const list of [["read"], ["read", "plan"], ["read", "plan", "relay"]])
      assert.strictEqual(scopes(list), "Right")
    for (const list of [
      [],
      ["plan"],
      ["relay"],
      ["read", "relay"],
      ["plan", "read"],
      ["read", "read"],
      ["read", "plan", "relay", "relay"],
      ["relay", "plan", "read"],
      ["Read"],
      ["read", ""],
      ["read", null],
      "read",
      { 0: "read" },
      null
    ])
      assert.strictEqual(scopes(list), "Left", JSON.stringify(list))
  })

  const good = { botAddress: `0x${"11".repeat(20)}`, expiresAt: 1, proofSignature: `0x${"ab".repeat(65)}` }
  const body = outcome(BotRegistrationBody)

  it("defaults to reading without a label", () => {
    const decoded = Schema.decodeUnknownSync(BotRegistrationBody)(good)
    assert.deepInclude(decoded, { scopes: ["read"], label: "" })
  })

  it("takes a proof as a text, an integer time, and nothing beyond", () => {
    assert.strictEqual(body({ ...good, proofSignature: `0x${"AB".repeat(65)}` }), "Right")
    assert.strictEqual(body({ ...good, proofSignature: `0x${"ab".repeat(64)}` }), "Right")
    assert.strictEqual(body({ ...good, label: "é".repeat(60) }), "Right")
    for (const change of [
      { proofSignature: 1 },
      { expiresAt: 1.5 },
      { expiresAt: "1" },
      { expiresAt: -1 },
      { expiresAt: null },
      { label: "é".repeat(61) },
      { label: null },
      { scopes: null },
      { botAddress: "0x11" },
      { id: "x" },
      { revokedAt: null },
      { privateKey: "0x" }
    ])
      assert.strictEqual(body({ ...good, ...change }), "Left", JSON.stringify(change))
    for (const missing of ["botAddress", "expiresAt", "proofSignature"])
      assert.strictEqual(body({ ...good, [missing]: undefined }), "Left", missing)
  })
})
