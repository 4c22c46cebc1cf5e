import { Either, Schema } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { describeIntent } from "../../src/intents/Describe.ts"
import { prepareEnvelope } from "../../src/intents/Envelope.ts"
import { IntentDraft } from "../../src/intents/Intent.ts"
import { type Draft, draftOf, TARGET } from "./support/Drafts.ts"

const decode = Schema.decodeUnknownEither(IntentDraft)

const envelopeOf = (draft: unknown) =>
  Either.getOrThrow(Either.flatMap(decode(draft), prepareEnvelope)).envelope

describe("what an intent is found by", () => {
  const described = (jb: Draft["jb"]) => describeIntent(envelopeOf(draftOf({ jb })))

  it("comes from the document, from its first place that has it", () => {
    assert.deepStrictEqual(
      described({
        name: " Bread ",
        description: "for\nall",
        projectTagline: "daily",
        tags: ["food", 1, "", "x".repeat(31)],
        links: { logoUri: "ipfs://a" },
        owner: TARGET.toLowerCase()
      }),
      {
        name: "Bread",
        description: "for\nall",
        tagline: "daily",
        tags: ["food", "x".repeat(30)],
        logoUri: "ipfs://a",
        owner: TARGET
      }
    )
    assert.strictEqual(described({ tagline: "a", projectTagline: "b" }).tagline, "a")
    assert.strictEqual(described({ logoUri: "a", logo: "b" }).logoUri, "a")
    assert.strictEqual(described({ logo: "b", links: { logoUri: "c" } }).logoUri, "b")
  })

  it("is left out where it is not text, and shortened where it is too long", () => {
    const nothing = {
      name: "Untitled project",
      description: null,
      tagline: null,
      tags: [],
      logoUri: null,
      owner: null
    }
    assert.deepStrictEqual(described({}), nothing)
    const odd = {
      name: 1,
      description: [],
      tagline: {},
      tags: "food",
      logo: null,
      links: [],
      owner: "nobody"
    }
    assert.deepStrictEqual(described(odd), nothing)
    assert.deepStrictEqual(described({ name: " ", owner: 5 }), nothing)
    assert.lengthOf(described({ name: "n".repeat(101) }).name, 100)
    assert.lengthOf(described({ description: "d".repeat(10_001) }).description ?? "", 10_000)
    assert.lengthOf(described({ tagline: "t".repeat(201) }).tagline ?? "", 200)
    assert.strictEqual(described({ logo: `ipfs://${"a".repeat(2_041)}` }).logoUri?.length, 2_048)
    assert.isNull(
      described({ logo: `ipfs://${"a".repeat(2_042)}` }).logoUri,
      "a part of a URI is another URI"
    )
    assert.lengthOf(described({ tags: Array.from({ length: 11 }, (_, at) => `tag ${at}`) }).tags, 10)
  })

  it("is text that a database stores, whatever the document holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 150 }), name => {
        const shown = described({ name }).name
        assert.isTrue(shown.isWellFormed())
        assert.notMatch(shown, /[\u0000-\u0008\u007f]/)
        assert.isAtMost(shown.length, 100)
      })
    )
    assert.strictEqual(described({ name: "a\u0000b\ud800" }).name, "a b\ufffd")
    assert.strictEqual(described({ name: `${"a".repeat(99)}😀` }).name, "a".repeat(99))
  })
})
