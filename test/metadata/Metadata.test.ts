import { createHash, createHmac } from "node:crypto"
import { Effect, Either, Layer, Redacted } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { DatabaseClock } from "../../src/database/DatabaseClock.ts"
import { isContentId } from "../../src/metadata/ContentId.ts"
import { METADATA_BYTES, type ProjectMetadata, reviewMetadata } from "../../src/metadata/ReviewedMetadata.ts"
import { ReviewTokens } from "../../src/metadata/ReviewToken.ts"
import { Settings, type SettingsShape } from "../../src/settings/Settings.ts"
import { testSettings } from "../support/Settings.ts"

const V0 = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG"
const V1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"

const metadata: ProjectMetadata = { name: "Bread", description: "for all" }

const reviewed = (over: Partial<ProjectMetadata> = {}) =>
  Either.getOrThrow(reviewMetadata({ ...metadata, ...over }))

const faultOf = (over: Partial<ProjectMetadata>) =>
  Either.match(reviewMetadata({ ...metadata, ...over }), {
    onLeft: ({ _tag, context }) => context?.path ?? _tag,
    onRight: () => "accepted"
  })

describe("content ids", () => {
  it("are taken in their one spelling", () => {
    for (const id of [V0, V1]) assert.isTrue(isContentId(id), id)
    const others = [
      "",
      "b",
      V0.slice(1),
      V0.slice(0, -1),
      `${V0}a`,
      V0.replace("Qm", "Qn"),
      V0.replace("Y", "0"),
      V1.toUpperCase(),
      V1.slice(0, -1),
      `${V1}a`,
      V1.replace(/.$/, "j"),
      "b1234",
      "zb2rhe5P4gXftAwvA4eXQ5HJwsER2owDyS9sKaQRRVQPn93bA",
      `Qm${"z".repeat(44)}`
    ]
    for (const id of others) assert.isFalse(isContentId(id), id)
  })

  it("of version 1 are those whose digest is as long as they say", () => {
    const base32 = (bytes: Uint8Array): string => {
      const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, "0")).join("")
      const groups = bits.match(/.{1,5}/g) ?? []
      return groups
        .map(group => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(group.padEnd(5, "0"), 2)])
        .join("")
    }
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.integer({ min: -2, max: 2 }),
        (digest, off) => {
          const length = digest.length + off
          fc.pre(length >= 0)
          const id = `b${base32(Uint8Array.from([1, 0x55, 0x12, length, ...digest]))}`
          assert.strictEqual(isContentId(id), off === 0)
        }
      )
    )
  })
})

describe("reviewed metadata", () => {
  it("is its sorted members, nothing else, and their hash", () => {
    const { jsonText, utf8Bytes, contentSha256 } = reviewed({ logoUri: `ipfs://${V1}`, name: "Brot 🍞" })
    assert.strictEqual(jsonText, `{"description":"for all","logoUri":"ipfs://${V1}","name":"Brot 🍞"}`)
    assert.strictEqual(utf8Bytes, Buffer.byteLength(jsonText))
    assert.strictEqual(contentSha256, createHash("sha256").update(jsonText).digest("hex"))
  })

  it("is 64 KiB at most", () => {
    const rest = reviewed({ description: "" }).utf8Bytes
    assert.strictEqual(faultOf({ description: "x".repeat(METADATA_BYTES - rest) }), "accepted")
    assert.strictEqual(faultOf({ description: "x".repeat(METADATA_BYTES - rest + 1) }), "METADATA_TOO_LARGE")
    assert.strictEqual(faultOf({ description: "ü".repeat(METADATA_BYTES / 2) }), "METADATA_TOO_LARGE")
  })

  it("has a logo on IPFS or none", () => {
    const logo = (logoUri: string) => faultOf({ logoUri })
    const part = "p".repeat(128)
    for (const uri of [
      `ipfs://${V0}`,
      `ipfs://${V1}/a.png`,
      `ipfs://${V0}/a/b/c/d/e/f/g/h_1~-.png`,
      `ipfs://${V0}/.well-known/..a`,
      `ipfs://${V0}/${part}`
    ])
      assert.strictEqual(logo(uri), "accepted", uri)
    const longest = `ipfs://${V0}/${part}/${part}/${part}`
    assert.strictEqual(logo(`${longest}/${"q".repeat(519 - longest.length - 1)}`), "accepted")
    const wrong = [
      `${longest}/${"q".repeat(519 - longest.length)}`,
      "",
      "https://example.org/a.png",
      `IPFS://${V0}`,
      "ipfs://",
      "ipfs://name",
      `ipfs://${V0}/`,
      `ipfs://${V0}//a`,
      `ipfs://${V0}/a/b/c/d/e/f/g/h/i`,
      `ipfs://${V0}/${part}p`,
      `ipfs://${V0}/.`,
      `ipfs://${V0}/../${V1}/a.png`,
      `ipfs://${V0}/a/..`,
      `ipfs://${V0}/a b`,
      `ipfs://${V0}/a?b`,
      `ipfs://${V0}/ü`
    ]
    for (const uri of wrong) assert.strictEqual(logo(uri), "metadata.logoUri", uri)
  })

  it("has a link that carries no credentials or none", () => {
    const link = (infoUri: string) => faultOf({ infoUri })
    for (const uri of ["https://example.org", "https://example.org/a?b#c", "ipfs://name/a"])
      assert.strictEqual(link(uri), "accepted", uri)
    const wrong = [
      "",
      "http://example.org",
      "javascript:alert(1)",
      "https://",
      "https://u@example.org",
      "https://u:p@example.org"
    ]
    for (const uri of [
      ...wrong,
      "https://example.org/a b",
      "https://example.org\\a",
      "https://a\n.org",
      "ipfs://",
      "ipfs://a b"
    ])
      assert.strictEqual(link(uri), "metadata.infoUri", uri)
  })
})

const START = 1_800_000_000_000

const tokens = (settings: Partial<SettingsShape> = {}, clock: { now: number } = { now: START }) => {
  const time = Layer.succeed(DatabaseClock, {
    millis: Effect.sync(() => clock.now),
    estimate: Effect.sync(() => clock.now),
    learn: () => Effect.void
  })
  const layer = ReviewTokens.layer.pipe(
    Layer.provide(Layer.merge(time, Layer.succeed(Settings, testSettings(settings))))
  )
  return Effect.runSync(Effect.provide(ReviewTokens, layer))
}

const issued = (own = tokens()) => Effect.runSync(own.issue(reviewed()))

const verified = (token: string, own = tokens()) => Effect.runSync(Effect.either(own.verify(token)))

const isRefused = (token: string, own = tokens()) =>
  Either.match(verified(token, own), { onLeft: ({ _tag }) => _tag === "INVALID_INPUT", onRight: () => false })

describe("review tokens", () => {
  it("give back what was reviewed, until they expire", () => {
    const clock = { now: START }
    const own = tokens({ reviewTtlSeconds: 30 }, clock)
    const { token, issuedAt, expiresAt } = issued(own)
    assert.deepStrictEqual(
      [issuedAt, expiresAt],
      [new Date(START).toISOString(), new Date(START + 30_000).toISOString()]
    )
    clock.now += 29_999
    assert.deepStrictEqual(Either.getOrThrow(verified(token, own)), reviewed())
    clock.now += 1
    assert.isTrue(isRefused(token, own))
  })

  it("are authenticated by a key of their own, prefix included", () => {
    const secret = "a review secret for tests, 32 bytes and more"
    const [prefix, payload, tag] = issued().token.split(".")
    assert.strictEqual(prefix, "svcmetadata1")
    const plain = createHmac("sha256", secret).update(`${prefix}.${payload}`).digest("base64url")
    assert.notStrictEqual(tag, plain, "the secret itself is no key")
    const key = createHmac("sha256", secret)
      .update("service project metadata review token, version 1")
      .digest()
    assert.strictEqual(tag, createHmac("sha256", key).update(`${prefix}.${payload}`).digest("base64url"))
    const envelope = JSON.parse(Buffer.from(payload ?? "", "base64url").toString())
    assert.deepStrictEqual(Object.keys(envelope), Object.keys(envelope).sort())
    assert.deepStrictEqual(
      { ...envelope, issuedAt: 0, expiresAt: 0, contentSha256: 0, utf8Bytes: 0 },
      {
        schemaVersion: 1,
        purpose: "project-metadata-review",
        audience: "http://localhost:8787",
        version: 6,
        issuedAt: 0,
        expiresAt: 0,
        contentSha256: 0,
        utf8Bytes: 0,
        metadata
      }
    )
  })

  it("are of one audience and one secret", () => {
    const { token } = issued()
    assert.isTrue(isRefused(token, tokens({ audience: "https://other.example" })))
    assert.isTrue(
      isRefused(token, tokens({ reviewSecret: Redacted.make("another secret of 32 bytes or more") }))
    )
  })

  it("are taken after their secret was replaced, as long as it is named", () => {
    const { token } = issued()
    const previousReviewSecret = testSettings().reviewSecret
    const reviewSecret = Redacted.make("another secret of 32 bytes or more")
    const rotated = tokens({ reviewSecret, previousReviewSecret })
    assert.isTrue(Either.isRight(verified(token, rotated)))
    const { token: next } = issued(rotated)
    assert.isTrue(Either.isRight(verified(next, tokens({ reviewSecret }))))
    assert.isTrue(isRefused(next))
  })

  it("are refused after any change", () => {
    const { token } = issued()
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.constantFrom("A", "b", "_", ".", "=", " ", "ü"),
        (at, letter) => {
          fc.pre(token.charAt(at) !== letter)
          assert.isTrue(isRefused(token.slice(0, at) + letter + token.slice(at + 1)))
        }
      )
    )
    for (const other of [
      "",
      "svcmetadata1",
      "svcmetadata1..",
      `${token}.`,
      `${token}A`,
      ` ${token}`,
      `${token.slice(0, -1)}ü`,
      "x".repeat(200_000)
    ])
      assert.isTrue(isRefused(other), other.slice(0, 40))
  })

  it("are refused although they are authentic where they say what no review says", () => {
    const secret = "a review secret for tests, 32 bytes and more"
    const key = createHmac("sha256", secret)
      .update("service project metadata review token, version 1")
      .digest()
    const [prefix, payload = ""] = issued().token.split(".")
    const envelope = JSON.parse(Buffer.from(payload, "base64url").toString())
    const forged = (over: object) => {
      const text = `${prefix}.${Buffer.from(JSON.stringify({ ...envelope, ...over })).toString("base64url")}`
      return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`
    }
    assert.isFalse(isRefused(forged({})))
    const changes = [
      { purpose: "another" },
      { version: 5 },
      { schemaVersion: 2 },
      { contentSha256: "0".repeat(64) },
      { utf8Bytes: 1 },
      { metadata: { ...metadata, name: "Other" } },
      { metadata: { ...metadata, logoUri: "https://example.org" } },
      { expiresAt: "never" },
      { more: 1 }
    ]
    for (const change of changes) assert.isTrue(isRefused(forged(change)), JSON.stringify(change))
  })

  it("repeat the bytes and the hash but not the time", () => {
    const clock = { now: START }
    const own = tokens({}, clock)
    const first = issued(own)
    clock.now += 1_000
    const second = issued(own)
    assert.notStrictEqual(second.token, first.token)
    assert.deepStrictEqual(verified(second.token, own), verified(first.token, own))
    assert.isBelow(first.token.length, 102_400)
  })

  it("of the largest metadata are within their bound", () => {
    const rest = reviewed({ description: "" }).utf8Bytes
    const largest = reviewed({ description: "x".repeat(METADATA_BYTES - rest) })
    const { token } = Effect.runSync(tokens().issue(largest))
    assert.isAtMost(token.length, 102_400)
    assert.isTrue(Either.isRight(verified(token)))
  })
})
