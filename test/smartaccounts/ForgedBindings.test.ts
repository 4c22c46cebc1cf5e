/** Signatures of a binding's challenge that a wallet's owners did not make in the one form that is taken. */
import { encodeFunctionData, type Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { fromHex } from "../../src/values/TypedDataHash.ts"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { sign, signCompact, signHighS, testKey } from "../signatures/TestKeys.ts"
import { assertProblem } from "../support/Problem.ts"
import { bind, prepareBinding, signedBy } from "./support/Bindings.ts"
import { controlAbi, ownersDo, withCode } from "./support/Inspections.ts"
import { startWalletBench, type WalletBench } from "./support/WalletService.ts"
import { createWallet, walletOwners } from "./support/Wallets.ts"

let bench: WalletBench
let salt = 40_000n

beforeAll(async () => {
  bench = await startWalletBench()
})
afterAll(() => bench.stop())

const sandbox = () => ({ ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop })
const newWallet = () => createWallet(sandbox(), { saltNonce: ++salt })

const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = walletOwners
const stranger = testKey("former owner")
const keyOf = (number: number) => testKey(`execution vector owner ${number}`)
const keys = [1, 2, 3].map(keyOf)
const keyAt = (address: string) => keys.find(key => key.address === address.toLowerCase()) ?? assert.fail()

const joined = (...parts: ReadonlyArray<Hex>): Hex => `0x${parts.map(part => part.slice(2)).join("")}`

/** As a Safe takes the word of an owner who approved the hash on the chain, and of a contract. */
const inWord = (address: string, v: string): Hex =>
  `0x${address.slice(2).padStart(64, "0")}${"00".repeat(32)}${v}`

const FORGED: ReadonlyArray<
  readonly [string, (digest: Hex) => Promise<Hex>, string, Readonly<Record<string, unknown>>]
> = [
  ["too few", digest => signedBy(digest, [first]), "INVALID_OWNER_SIGNATURES", { fault: "length" }],
  ["none", async () => "0x", "INVALID_OWNER_SIGNATURES", { fault: "length" }],
  ["too many", digest => signedBy(digest, walletOwners), "INVALID_OWNER_SIGNATURES", { fault: "length" }],
  [
    "a byte too many",
    async digest => joined(await signedBy(digest), "0x00"),
    "INVALID_OWNER_SIGNATURES",
    { fault: "length" }
  ],
  [
    "descending ones",
    digest => signedBy(digest, [second, first]),
    "INVALID_OWNER_SIGNATURES",
    { fault: "order", position: 1 }
  ],
  [
    "one twice",
    digest => signedBy(digest, [first, first]),
    "INVALID_OWNER_SIGNATURES",
    { fault: "order", position: 1 }
  ],
  [
    "a high s",
    async digest =>
      joined(signHighS(keyAt(first.address), fromHex(digest)), await signedBy(digest, [second])),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 0 }
  ],
  [
    "the form of EIP-2098",
    async digest =>
      joined(await signedBy(digest, [first]), signCompact(keyAt(second.address), fromHex(digest))),
    "INVALID_OWNER_SIGNATURES",
    { fault: "length" }
  ],
  [
    "an approved hash",
    async digest => joined(await signedBy(digest, [first]), inWord(second.address, "01")),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 1 }
  ],
  [
    "a contract's word",
    async digest => joined(await signedBy(digest, [first]), inWord(second.address, "00")),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 1 }
  ],
  [
    "eth_sign",
    async digest =>
      joined(await signedBy(digest, [first]), `0x${(await signedBy(digest, [third])).slice(2, -2)}1f`),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 1 }
  ],
  [
    "v of 32",
    async digest =>
      joined(await signedBy(digest, [first]), `0x${(await signedBy(digest, [third])).slice(2, -2)}20`),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 1 }
  ],
  ...(["00", "01"] as const).map(
    v =>
      [
        `v of ${v}`,
        async (digest: Hex) =>
          joined(await signedBy(digest, [first]), `0x${(await signedBy(digest, [second])).slice(2, -2)}${v}`),
        "INVALID_OWNER_SIGNATURES",
        { fault: "form", position: 1 }
      ] as const
  ),
  [
    "a contract's signature with its bytes",
    async digest =>
      joined(await signedBy(digest, [first]), inWord(second.address, "00"), await signedBy(digest, [second])),
    "INVALID_OWNER_SIGNATURES",
    { fault: "length" }
  ],
  [
    "a byte too few",
    async digest => `0x${(await signedBy(digest)).slice(2, -2)}`,
    "INVALID_OWNER_SIGNATURES",
    { fault: "length" }
  ],
  [
    "a stranger's",
    async digest => joined(await signedBy(digest, [first]), sign(stranger, fromHex(digest))),
    "OWNER_SIGNATURES_MISMATCH",
    { fault: "owner", position: 1 }
  ],
  [
    "signatures of another digest",
    () => signedBy(`0x${"ab".repeat(32)}`),
    "OWNER_SIGNATURES_MISMATCH",
    { fault: "owner", position: 0 }
  ]
]

describe("a binding is refused with", () => {
  it.each(FORGED)("%s", async (_, forge, code, context) => {
    const { body, digest } = await prepareBinding(bench, await newWallet())
    const answer = await bind(bench, { ...body, signature: await forge(digest) })
    assert.deepEqual((await assertProblem(answer, code)).context, context)
  })

  it("the signature of an owner of before", async () => {
    const wallet = await newWallet()
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: "removeOwner",
      args: [second.address, third.address, 2n]
    })
    await ownersDo(sandbox(), wallet, data)
    const { body, digest } = await prepareBinding(bench, wallet)
    const signature = await signedBy(digest, [first, third])
    const { context } = await assertProblem(
      await bind(bench, { ...body, signature }),
      "OWNER_SIGNATURES_MISMATCH"
    )
    assert.deepEqual(context, { fault: "owner", position: 1 })
  })

  it("an owner that became a contract", async () => {
    const { body } = await prepareBinding(bench, await newWallet())
    const answer = await withCode(sandbox(), second.address, "0x00", () => bind(bench, body))
    const { context } = await assertProblem(answer, "SMART_ACCOUNT_UNSUPPORTED")
    assert.deepEqual(context, { check: "contract-owner" })
  })

  it.each([
    ["half a byte", "0x1"],
    ["no hexadecimal", `0x${"zz".repeat(65)}`],
    ["more than is looked at", `0x${"00".repeat(16_385)}`],
    ["a number", 1]
  ])("%s for signatures", async (_, signature) => {
    const { body } = await prepareBinding(bench, await newWallet())
    await assertProblem(await bind(bench, { ...body, signature }), "INVALID_INPUT")
  })
})
