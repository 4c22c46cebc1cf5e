import { Either, Schema } from "effect"
import fc from "fast-check"
import { toFunctionSelector } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { assert, describe, it } from "vitest"
import { ENVELOPE_BYTES, prepareEnvelope } from "../../src/intents/Envelope.ts"
import { IntentDraft } from "../../src/intents/Intent.ts"
import { publisherOf } from "../../src/intents/PublisherSignature.ts"
import { callOn, type Draft, draftOf, hashOf, messageFor, SAFE_FACTORY, TARGET } from "./support/Drafts.ts"

const decode = Schema.decodeUnknownEither(IntentDraft)

const prepared = (draft: unknown) => Either.flatMap(decode(draft), prepareEnvelope)

const pathOf = (draft: unknown): unknown => {
  const found = prepared(draft)
  if (Either.isRight(found)) return "accepted"
  return "context" in found.left ? (found.left.context?.path ?? found.left._tag) : "shape"
}

const accepted = (draft: unknown) => Either.getOrThrow(prepared(draft))

const creation = (signature: string) => `${toFunctionSelector(`function ${signature}`)}${"00".repeat(32)}`
const SAFE = creation("createProxyWithNonce(address,bytes,uint256)")
const SAFE_OF_CHAIN = creation("createChainSpecificProxyWithNonce(address,bytes,uint256)")
const SAFE_AND_CALL = creation("createProxyWithCallback(address,bytes,uint256,address)")

const safeOn = (chainId: number, data = SAFE) => callOn(chainId, { to: SAFE_FACTORY, data })

const deep = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth - 1)}1${"}".repeat(depth - 1)}`)

describe("the normal form", () => {
  it("orders chains and calls, keeps the order within a chain, checksums and lowers", () => {
    const { envelope } = accepted(
      draftOf({
        chainIds: [10, 1],
        deploymentCalls: [
          callOn(10, { to: TARGET.toLowerCase(), data: "0xD0E30DB0FF" }),
          safeOn(1),
          safeOn(1, SAFE_OF_CHAIN),
          callOn(1)
        ]
      })
    )
    assert.deepStrictEqual(envelope.chainIds, [1, 10])
    assert.deepStrictEqual(
      envelope.deploymentCalls.map(({ chainId, data }) => [chainId, data.slice(0, 12)]),
      [
        [1, SAFE.slice(0, 12)],
        [1, SAFE_OF_CHAIN.slice(0, 12)],
        [1, "0xd0e30db0"],
        [10, "0xd0e30db0ff"]
      ]
    )
    assert.isTrue(envelope.deploymentCalls.every(({ to }) => to === TARGET || to === SAFE_FACTORY))
  })

  it("is hashed as its canonical JSON, and the message names the hash", () => {
    const { contentHash, message, text } = accepted(draftOf({ jb: { z: 1, a: { y: [2, 1], b: "ü" } } }))
    assert.strictEqual(contentHash, hashOf(draftOf({ jb: { a: { b: "ü", y: [2, 1] }, z: 1 } })))
    assert.strictEqual(message, messageFor(contentHash))
    assert.isTrue(text.startsWith('{"chainIds":[1,10],"deploymentCalls":[{"chainId":1,"data":"0xd0e30db0"'))
  })

  it("does not depend on the order of members, chains or of calls on different chains", () => {
    const values = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), values, { maxKeys: 6 }),
        fc.shuffledSubarray([1, 10, 8453, 42161], { minLength: 1 }),
        (members, chainIds) => {
          const jb = Object.fromEntries(
            Object.entries(members).filter(([key]) => !["chains", "data"].includes(key))
          )
          const reversed = Object.fromEntries(Object.entries(jb).reverse())
          const calls = chainIds.flatMap(chainId => [safeOn(chainId), callOn(chainId)])
          const one = accepted(draftOf({ jb, chainIds, deploymentCalls: calls }))
          const byChain = chainIds.toReversed().flatMap(id => calls.filter(({ chainId }) => chainId === id))
          const other = accepted(
            draftOf({ jb: reversed, chainIds: chainIds.toReversed(), deploymentCalls: byChain })
          )
          assert.strictEqual(other.contentHash, one.contentHash)
          assert.strictEqual(accepted(JSON.parse(one.text)).text, one.text)
        }
      )
    )
  })
})

describe("what a draft may say", () => {
  it("a format of an application and its version", () => {
    for (const format of ["a/1", `${"a".repeat(80)}/${"v".repeat(32)}`, "app-1.x/A_b.c-9"])
      assert.strictEqual(pathOf(draftOf({ format })), "accepted", format)
    const wrong = [
      "a",
      "/1",
      "a/",
      "A/1",
      "a/1/2",
      "a b/1",
      `${"a".repeat(81)}/1`,
      `a/${"v".repeat(33)}`,
      "a/ü"
    ]
    for (const format of wrong) assert.strictEqual(pathOf(draftOf({ format })), "shape", format)
  })

  it("a version of 1 to 64 characters", () => {
    for (const [length, expected] of [
      [0, "shape"],
      [1, "accepted"],
      [64, "accepted"],
      [65, "shape"]
    ] as const)
      assert.strictEqual(pathOf(draftOf({ deploymentVersion: "6".repeat(length) })), expected)
  })

  it("1 to 16 chains, each once", () => {
    const on = (chainIds: ReadonlyArray<number>) =>
      draftOf({ chainIds, deploymentCalls: chainIds.map(chainId => callOn(chainId)) })
    const chains = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
    assert.strictEqual(pathOf(on([])), "shape")
    assert.strictEqual(pathOf(on(chains(16))), "accepted")
    assert.strictEqual(pathOf(on(chains(17))), "shape")
    assert.strictEqual(pathOf({ ...on([1, 1]), deploymentCalls: [callOn(1)] }), "chainIds")
    for (const chainId of [0, -1, 1.5, "1", 2 ** 53])
      assert.strictEqual(pathOf(on([Number(chainId)])) === "accepted", chainId === "1")
  })

  it("1 to 4 calls for each of its chains and for no other", () => {
    const calls = (deploymentCalls: Draft["deploymentCalls"]) =>
      pathOf(draftOf({ chainIds: [1], deploymentCalls }))
    assert.strictEqual(calls([]), "shape")
    assert.strictEqual(calls([callOn(1), callOn(10)]), "deploymentCalls")
    assert.strictEqual(pathOf(draftOf({ deploymentCalls: [callOn(1)] })), "deploymentCalls")
    assert.strictEqual(calls([safeOn(1), safeOn(1), safeOn(1), callOn(1)]), "accepted")
    assert.strictEqual(calls([safeOn(1), safeOn(1), safeOn(1), safeOn(1), callOn(1)]), "deploymentCalls")
  })

  it("before the launch nothing but Safes of the canonical factory, and the launch last", () => {
    const precededBy = (call: ReturnType<typeof callOn>) =>
      pathOf(draftOf({ chainIds: [1], deploymentCalls: [call, callOn(1)] }))
    assert.strictEqual(precededBy(safeOn(1)), "accepted")
    assert.strictEqual(precededBy(safeOn(1, SAFE_OF_CHAIN)), "accepted")
    assert.strictEqual(precededBy(safeOn(1, SAFE_AND_CALL)), "deploymentCalls")
    assert.strictEqual(precededBy(callOn(1, { data: SAFE })), "deploymentCalls")
    assert.strictEqual(pathOf(draftOf({ chainIds: [1], deploymentCalls: [safeOn(1)] })), "deploymentCalls")
  })

  it("calldata of a selector at least and whole bytes, within its bound", () => {
    const data = (text: string) =>
      pathOf(draftOf({ chainIds: [1], deploymentCalls: [callOn(1, { data: text })] }))
    for (const text of ["0x", "0xd0e30d", "0xd0e30db", "0xd0e30dbz", "d0e30db0"])
      assert.strictEqual(data(text), "shape", text)
    assert.strictEqual(data(`0x${"ab".repeat(131_072)}`), "accepted")
    assert.strictEqual(data(`0x${"ab".repeat(131_073)}`), "shape")
  })

  it("a document that is an object of bounded depth and size", () => {
    for (const jb of [null, [], "text", 1]) assert.strictEqual(pathOf({ ...draftOf(), jb }), "shape")
    assert.strictEqual(pathOf({ ...draftOf(), jb: deep(64) }), "accepted")
    assert.strictEqual(pathOf({ ...draftOf(), jb: deep(65) }), "jb")
    assert.strictEqual(pathOf({ ...draftOf(), jb: deep(100_000) }), "jb")
    const nodes = (count: number) => ({ list: Array.from({ length: count - 2 }, () => 1) })
    assert.strictEqual(pathOf({ ...draftOf(), jb: nodes(100_000) }), "accepted")
    assert.strictEqual(pathOf({ ...draftOf(), jb: nodes(100_001) }), "jb")
  })

  it("the same chains wherever the document declares them", () => {
    const document = (jb: Draft["jb"]) => pathOf(draftOf({ jb }))
    for (const chains of [
      [1, 10],
      [10, 1]
    ])
      for (const jb of [
        { chainIds: chains },
        { chains },
        { data: { chainIds: chains } },
        { data: { chains } }
      ])
        assert.strictEqual(document(jb), "accepted")
    for (const chains of [[1], [1, 10, 8453], [1, 1], ["1", "10"], null, { 0: 1, 1: 10 }]) {
      assert.strictEqual(document({ chainIds: chains }), "jb.chainIds")
      assert.strictEqual(document({ chains }), "jb.chains")
      assert.strictEqual(document({ data: { chainIds: chains } }), "jb.data.chainIds")
      assert.strictEqual(document({ data: { chains } }), "jb.data.chains")
    }
    assert.strictEqual(document({ data: "chains" }), "accepted")
  })

  it("a mebibyte in all", () => {
    const sized = (bytes: number) => {
      const empty = Buffer.byteLength(accepted(draftOf({ jb: { text: "" } })).text)
      return pathOf(draftOf({ jb: { text: "x".repeat(bytes - empty) } }))
    }
    assert.strictEqual(sized(ENVELOPE_BYTES), "accepted")
    assert.strictEqual(sized(ENVELOPE_BYTES + 1), "CONFIGURATION_TOO_LARGE")
  })

  it("and nothing else", () => {
    assert.strictEqual(pathOf({ ...draftOf(), more: 1 }), "shape")
    assert.strictEqual(
      pathOf(draftOf({ deploymentCalls: [{ ...callOn(1), value: "1" }, callOn(10)] as never })),
      "shape"
    )
  })
})

describe("the publisher's signature", () => {
  const key = privateKeyToAccount(`0x${"11".repeat(32)}`)
  const { contentHash, message } = accepted(draftOf())

  it("names its signer in both forms, and nobody in any other", async () => {
    const signature = await key.signMessage({ message })
    const [r, s, v] = [
      signature.slice(2, 66),
      signature.slice(66, 130),
      Number.parseInt(signature.slice(130), 16)
    ]
    const top = v === 28 ? (Number.parseInt(s.charAt(0), 16) | 8).toString(16) : s.charAt(0)
    assert.strictEqual(publisherOf(contentHash, signature), key.address)
    assert.strictEqual(publisherOf(contentHash, `0x${r}${top}${s.slice(1)}`), key.address)
    const malformed = ["0x", `0x${r}`, `${signature}00`, `0x${r}${s}0${v - 27}`, `0x${"00".repeat(65)}`]
    for (const other of malformed) assert.isUndefined(publisherOf(contentHash, other), other)
  })

  it("is of this content alone", async () => {
    const other = await key.signMessage({ message: message.replace("Version: 1", "Version: 2") })
    assert.notStrictEqual(publisherOf(contentHash, other), key.address)
  })
})
