/** Policies in sentences: each right by its exact shape, and honest words for what no kind knows. */
import { assert, describe, it } from "vitest"
import published from "../../schema/vectors/sessions.json" with { type: "json" }
import { allocationId } from "../../src/sessions/Compile.ts"
import { NATIVE_ASSET } from "../../src/sessions/KnownRights.ts"
import { encodePolicy } from "../../src/sessions/Policy.ts"
import type { SessionAction, SessionPolicy } from "../../src/sessions/PolicyShape.ts"
import { type PolicyNames, policySentences } from "../../src/sessions/PolicyWords.ts"
import type { Address, Hex } from "../../src/values/Scalars.ts"
import { LIMITS, PAYEE, policyFor, transferAction } from "./support/Policies.ts"

const TOKEN: Address = "0x00000000000000000000000000000000000000C1"
const TERMINAL: Address = "0x00000000000000000000000000000000000000D2"
const CODE: Hex = `0x${"ee".repeat(32)}`
const NOW = 1_790_000_030

const USDC: PolicyNames = {
  assets: [{ address: TOKEN, symbol: "USDC", decimals: 6 }],
  allocationIds: ["tips"]
}

const word = (value: bigint | number | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, "0")}`

const fixed = (index: number, value: bigint | number | Hex) => ({
  condition: 0,
  offset: 32 * index,
  word: word(value)
})

const setUri: SessionAction = {
  ...transferAction(TERMINAL, CODE),
  selector: "0x702a3977",
  allocation: 255,
  minimumLength: 100,
  maximumLength: 2_148,
  perCall: "0",
  total: "0",
  rules: [fixed(0, 7), fixed(1, 64)]
}

const ETHER = 10n ** 18n

const pay = (asset: Address, perCall = ETHER / 100n): SessionAction => ({
  target: TERMINAL,
  codeHash: CODE,
  selector: "0xfef43257",
  valueMode: asset === NATIVE_ASSET ? 1 : 0,
  allocation: 0,
  minimumLength: 292,
  maximumLength: 292,
  perCall: String(perCall),
  total: String(perCall * 10n),
  rules: [
    ...[fixed(0, 3), fixed(1, asset)],
    { condition: 1, offset: 64, word: word(perCall) },
    ...[fixed(3, PAYEE), fixed(4, 5n * ETHER), fixed(5, 224), fixed(6, 256), fixed(7, 0), fixed(8, 0)]
  ]
})

const policyOf = (...actions: ReadonlyArray<SessionAction>): SessionPolicy =>
  policyFor(TOKEN, CODE, NOW, {
    actions,
    allocations: [{ id: allocationId("tips"), asset: TOKEN, limit: String(LIMITS.total) }]
  })

const told = (policy: SessionPolicy, names: PolicyNames = {}) =>
  policySentences(encodePolicy(policy), names) ?? assert.fail("no policy")

const rightsOf = (policy: SessionPolicy, names: PolicyNames = {}) =>
  told(policy, names).filter(({ about }) => about === "right")

const textsOf = (policy: SessionPolicy, names: PolicyNames = {}) =>
  rightsOf(policy, names).map(({ text }) => text)

it("tells the published policy from its bytes alone", () => {
  const sentences = policySentences(`0x${published.encodedPolicy.slice(2)}`, USDC)
  assert.deepEqual(
    sentences?.map(({ text }) => text),
    published.words
  )
  assert.isTrue(sentences?.every(({ isDoubtful }) => !isDoubtful))
})

it("tells nothing of bytes that are no policy", () => {
  assert.isUndefined(policySentences("0x"))
  assert.isUndefined(policySentences(`0x${published.encodedPolicy.slice(2)}00`))
})

describe("rights", () => {
  it("are known by their exact shape", () => {
    const policy = policyOf(setUri, { ...pay(NATIVE_ASSET), allocation: 255 }, pay(TOKEN, 1_500_000n))
    assert.deepEqual(textsOf(policy, USDC), [
      "It may set the metadata URI of project 7 by the controller 0x00000000000000000000000000000000000000D2, to any text of up to 2,048 bytes.",
      "It may pay project 3 through the terminal 0x00000000000000000000000000000000000000D2, at most 0.01 ETH a call and 0.1 ETH in all; each payment returns at least 5 of the project's tokens or fails, and they go to 0x00000000000000000000000000000000000000B0.",
      'It may pay project 3 through the terminal 0x00000000000000000000000000000000000000D2, at most 1.5 USDC a call and 15 USDC in all (the token 0x00000000000000000000000000000000000000C1), counted in the allocation "tips"; each payment returns at least 5 of the project\'s tokens or fails, and they go to 0x00000000000000000000000000000000000000B0.'
    ])
  })

  it("count smallest units of assets that nobody names, and show the hash of an allocation that has another's name", () => {
    const [text = ""] = textsOf(policyOf(transferAction(TOKEN, CODE)), { allocationIds: ["other"] })
    assert.include(text, `at most 40 of the smallest unit of ${TOKEN} a call`)
    assert.include(text, `counted in the allocation ${allocationId("tips")}`)
  })

  const transfer = transferAction(TOKEN, CODE)
  const [first, second] = transfer.rules
  it.each<[string, SessionAction]>([
    ["another function", { ...transfer, selector: "0x095ea7b3" }],
    ["a call that may be longer", { ...transfer, maximumLength: 100 }],
    ["a payee who is not fixed", { ...transfer, rules: second === undefined ? [] : [second] }],
    ["a payee who is no address", { ...transfer, rules: [fixed(0, 1n << 160n), ...transfer.rules.slice(1)] }],
    ["an amount that is not counted", { ...transfer, rules: first === undefined ? [] : [first] }],
    ["native currency that goes along", { ...transfer, valueMode: 1 }],
    ["a text without its place", { ...setUri, rules: [fixed(0, 7)] }],
    ["a memo", { ...pay(TOKEN), rules: pay(TOKEN).rules.slice(0, 7) }],
    ["a token paid by native currency", { ...pay(TOKEN), valueMode: 1 }],
    ["native currency that is not sent", { ...pay(NATIVE_ASSET), valueMode: 0 }]
  ])("are not known by their function: %s", (_, action) => {
    const [right = assert.fail()] = rightsOf(policyOf(action), USDC)
    assert.isTrue(right.isDoubtful)
    assert.match(right.text, /no right that is known here says what that does/)
  })

  it("that are not known are told by what the guard holds them to", () => {
    const unknown = { ...transfer, selector: "0x01020304" as const, maximumLength: 200 }
    assert.deepEqual(textsOf(policyOf(unknown, { ...setUri, selector: "0x0a0b0c0d", rules: [] }), USDC), [
      `It may call the function 0x01020304 of ${TOKEN}, and no right that is known here says what that does: the word at byte 0 of its arguments is ${word(BigInt(PAYEE))}, the word at byte 32 is counted, at most 40 a call and 100 in all, counted in the allocation "tips"; all else of its 68 to 200 bytes is the key's to choose, and it carries no native currency.`,
      `It may call the function 0x0a0b0c0d of ${TERMINAL}, and no right that is known here says what that does: no word of its arguments is fixed; all else of its 100 to 2148 bytes is the key's to choose, and it carries no native currency.`
    ])
  })

  it("that are counted in an allocation of another asset are told as doubtful", () => {
    const [right] = rightsOf(policyOf(pay(NATIVE_ASSET)), USDC)
    assert.isTrue(right?.isDoubtful)
    assert.include(right?.text, "That allocation is of another asset")
  })
})

it("tells who pays, and hides no character of a symbol", () => {
  const gas = {
    ...policyFor(TOKEN, CODE, NOW).gas,
    paymaster: TERMINAL,
    paymasterCodeHash: CODE,
    paymasterDataLength: 77
  }
  const policy = { ...policyOf(transferAction(TOKEN, CODE)), gas }
  const assets = [{ address: TOKEN, symbol: "U\u202eSD", decimals: 6 }]
  const texts = told(policy, { assets }).map(({ text }) => text)
  assert.include(
    texts,
    `The paymaster ${TERMINAL} pays for gas and nobody else does: its code has the hash ${CODE}, and it is told 77 bytes.`
  )
  assert.isTrue(texts.every(text => !text.includes("\u202e")))
  assert.include(texts[1], "U\\u{202E}SD")
})

it("of a terminal or controller that nobody published it says so, where it knows which there are", () => {
  const encoded = encodePolicy(policyFor(TOKEN, CODE, NOW, { actions: [setUri] }))
  const rightWith = (published: PolicyNames["published"]) =>
    policySentences(encoded, { ...(published && { published }) })?.find(({ about }) => about === "right")
  assert.isFalse(rightWith(undefined)?.isDoubtful)
  assert.isFalse(rightWith([TERMINAL])?.isDoubtful)
  const strange = rightWith([TOKEN])
  assert.isTrue(strange?.isDoubtful)
  assert.include(strange?.text, "No terminal or controller that is published here is at that address")
})
