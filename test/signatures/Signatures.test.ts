import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { decodeFunctionData, parseAbi } from "viem"
import type { CallOutcome } from "../../src/chain/ChainClient.ts"
import { RpcBudget, RpcChainMismatch, RpcTimeout, RpcUnavailable } from "../../src/chain/refusals.ts"
import { type SignatureClaim, Signatures } from "../../src/signatures/Signatures.ts"
import type { Hex } from "../../src/values/Scalars.ts"
import { fromHex, toHex } from "../../src/values/TypedDataHash.ts"
import { CHAIN, fakeChain, type Script, type Traffic } from "./FakeChain.ts"
import { sign, testKey } from "./TestKeys.ts"

const owner = testKey("owner")
const stranger = testKey("stranger")
const digest = fromHex(`0x${"a7".repeat(32)}`)
const MAGIC: Hex = `0x1626ba7e${"0".repeat(56)}`

const wallet = "0x00000000000000000000000000000000c0ffee00"

const contractClaim: SignatureClaim = {
  digest,
  signature: sign(stranger, digest),
  signer: wallet,
  role: "owner",
  authorityChainId: CHAIN
}

const verify = (claim: SignatureClaim, script: Script = {}, traffic?: Traffic) =>
  Effect.flatMap(Signatures, signatures => signatures.verify(claim)).pipe(
    Effect.provide(Signatures.layer.pipe(Layer.provide(fakeChain(script, traffic))))
  )

const refusedAs = (
  code: "INVALID_SIGNATURE" | "VERIFIER_UNAVAILABLE" | "RPC_BUDGET",
  claim: SignatureClaim,
  script?: Script
) => Effect.map(Effect.flip(verify(claim, script)), refusal => assert.strictEqual(refusal._tag, code))

const returned = (data: Hex) => () => Effect.succeed<CallOutcome>({ _tag: "Returned", data })

describe("keys", () => {
  const claim: SignatureClaim = { ...contractClaim, signature: sign(owner, digest), signer: owner.address }

  it.effect("the signer's own signature needs no chain, for owner and bot, in any case of the address", () =>
    Effect.gen(function* () {
      const traffic: Traffic = { snapshots: [], calls: [] }
      const upper: Hex = `0x${owner.address.slice(2).toUpperCase()}`
      for (const role of ["owner", "bot"] as const)
        for (const signer of [owner.address, upper]) {
          const verified = yield* verify({ ...claim, role, signer, authorityChainId: 999 }, {}, traffic)
          assert.deepStrictEqual(verified, { signer, by: "key" })
        }
      assert.deepStrictEqual(traffic, { snapshots: [], calls: [] })
    })
  )

  it.effect("another's signature is refused, and the refusal tells whose it is outside its context", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(verify({ ...claim, signature: sign(stranger, digest), role: "bot" }))
      assert.strictEqual(refusal._tag, "INVALID_SIGNATURE")
      assert.isTrue("recovered" in refusal && refusal.recovered === stranger.address)
      assert.isUndefined(refusal.context)
    })
  )
})

describe("contract wallets", () => {
  it.effect(
    "the magic word authorises, asked once of the latest block with bounded gas and the exact call",
    () =>
      Effect.gen(function* () {
        const traffic: Traffic = { snapshots: [], calls: [] }
        const verified = yield* verify(contractClaim, { call: returned(MAGIC) }, traffic)
        assert.deepStrictEqual(verified, { signer: wallet, by: "contract" })
        assert.deepStrictEqual(traffic.snapshots, [CHAIN])
        const [call] = traffic.calls
        assert.strictEqual(traffic.calls.length, 1)
        assert.strictEqual(call?.gas, 500_000n)
        assert.strictEqual(call?.to, wallet)
        const { args } = decodeFunctionData({
          abi: parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]),
          data: call?.data ?? "0x"
        })
        assert.deepStrictEqual(args, [toHex(digest), contractClaim.signature])
      })
  )

  it.effect("signatures of any length reach the contract whole", () =>
    Effect.gen(function* () {
      for (const length of [1, 31, 32, 33, 64, 66, 8192]) {
        const signature: Hex = `0x${"Ab".repeat(length)}`
        const traffic: Traffic = { snapshots: [], calls: [] }
        yield* verify({ ...contractClaim, signature }, { call: returned(MAGIC) }, traffic)
        const { args } = decodeFunctionData({
          abi: parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]),
          data: traffic.calls[0]?.data ?? "0x"
        })
        assert.strictEqual(args[1], signature.toLowerCase())
      }
    })
  )

  it.effect("a bot with code is refused without a question", () =>
    Effect.gen(function* () {
      const traffic: Traffic = { snapshots: [], calls: [] }
      const exit = yield* Effect.exit(
        verify({ ...contractClaim, role: "bot" }, { call: returned(MAGIC) }, traffic)
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(traffic.snapshots, [])
    })
  )
})

const yes = { call: returned(MAGIC) }

/** By a node that runs what others call. */
const refusedAlone = (code: number): Script => ({
  call: ({ to, data }) =>
    Effect.succeed(to === wallet ? { _tag: "Refused", code } : { _tag: "Returned", data })
})

const refusedAtFirst = (code: number): Script => {
  let asked = 0
  return {
    call: ({ to, data }) => {
      asked += 1
      if (asked === 1) return Effect.succeed({ _tag: "Refused", code })
      return Effect.succeed({ _tag: "Returned", data: to === wallet ? MAGIC : data })
    }
  }
}

describe("what is no acceptance", () => {
  const lies: ReadonlyArray<readonly [string, Script, Partial<SignatureClaim>?]> = [
    ["no code", { ...yes, code: Effect.succeed<Hex>("0x") }],
    ["delegated code", { ...yes, code: Effect.succeed<Hex>(`0xef0100${"ab".repeat(20)}`) }],
    ["junk after the word", { call: returned(`${MAGIC}00`) }],
    ["a second word", { call: returned(`${MAGIC}${"0".repeat(64)}`) }],
    ["ten megabytes of it", { call: returned(`${MAGIC}${"0".repeat(20_000_000)}`) }],
    ["junk in the padding", { call: returned(`0x1626ba7e${"0".repeat(55)}1`) }],
    ["left padded", { call: returned(`0x${"0".repeat(56)}1626ba7e`) }],
    ["four bytes", { call: returned("0x1626ba7e") }],
    ["31 bytes", { call: returned(`0x1626ba7e${"0".repeat(54)}`) }],
    ["true", { call: returned(`0x${"1".padStart(64, "0")}`) }],
    ["the failure word", { call: returned(`0x${"f".repeat(8)}${"0".repeat(56)}`) }],
    ["the legacy word", { call: returned(`0x20c13b0b${"0".repeat(56)}`) }],
    ["nothing", { call: returned("0x") }],
    ["an echo of the call", { call: request => Effect.succeed({ _tag: "Returned", data: request.data }) }],
    ["a revert", { call: () => Effect.succeed({ _tag: "Reverted", data: "0x" }) }],
    ["a revert with the word", { call: () => Effect.succeed({ _tag: "Reverted", data: MAGIC }) }],
    [
      "a revert of megabytes",
      { call: () => Effect.succeed({ _tag: "Reverted", data: `0x${"ff".repeat(5_000_000)}` }) }
    ],
    ["all gas burnt", refusedAlone(-32000)],
    ["an internal error", refusedAlone(-32603)],
    ["an ERC-6492 wrapper", yes, { signature: `0x${"00".repeat(96)}${"6492".repeat(16)}` }],
    ["the identity precompile", yes, { signer: `0x${"4".padStart(40, "0")}` }],
    ["a rollup's precompile", yes, { signer: `0x${"64".padStart(40, "0")}` }],
    ["the zero address", yes, { signer: `0x${"0".repeat(40)}` }],
    ["a chain that is not configured", yes, { authorityChainId: 5 }]
  ]
  for (const [name, script, change] of lies)
    it.effect(name, () => refusedAs("INVALID_SIGNATURE", { ...contractClaim, ...change }, script))
})

describe("no verdict never authorises and may be retried", () => {
  const failures: ReadonlyArray<readonly [string, Script]> = [
    ["no node", { snapshot: Effect.fail(new RpcUnavailable()) }],
    ["another chain's node", { snapshot: Effect.fail(new RpcChainMismatch()) }],
    ["no code answer", { ...yes, code: Effect.fail(new RpcTimeout()) }],
    ["no call answer", { call: () => Effect.fail(new RpcTimeout()) }],
    ["a node without the state", { call: () => Effect.succeed({ _tag: "Refused", code: -32000 }) }],
    ["a node that fails at any call", { call: () => Effect.succeed({ _tag: "Refused", code: -32603 }) }],
    ["a node that is asked too much", { call: () => Effect.succeed({ _tag: "Refused", code: 429 }) }],
    ["a node over its limit", { call: () => Effect.succeed({ _tag: "Refused", code: -32005 }) }],
    ["a node that limits this call alone", refusedAlone(429)],
    ["a node without eth_call", { call: () => Effect.succeed({ _tag: "Refused", code: -32601 }) }]
  ]
  for (const [name, script] of failures)
    it.effect(name, () => refusedAs("VERIFIER_UNAVAILABLE", contractClaim, script))

  it.effect("and is asked for once more, where the node answers with an error", () =>
    Effect.map(verify(contractClaim, refusedAtFirst(-32000)), ({ by }) => assert.strictEqual(by, "contract"))
  )

  const spent = new RpcBudget({ retryAfterSeconds: 7 })
  const ended: ReadonlyArray<Script> = [
    { snapshot: Effect.fail(spent) },
    { ...yes, code: Effect.fail(spent) },
    { call: () => Effect.fail(spent) }
  ]
  for (const [index, script] of ended.entries())
    it.effect(`a budget that ends before question ${index + 1} is told as such`, () =>
      refusedAs("RPC_BUDGET", contractClaim, script)
    )

  const waits: ReadonlyArray<readonly [string, Script]> = [
    ["the node hangs", { snapshot: Effect.never }],
    ["the code never comes", { ...yes, code: Effect.never }],
    ["the call never ends", { call: () => Effect.never }],
    ["the wait cannot be interrupted", { call: () => Effect.uninterruptible(Effect.never) }],
    [
      "every part is slow",
      {
        snapshot: Effect.sleep("2 seconds"),
        code: Effect.delay(Effect.succeed("0x60" as const), "2 seconds"),
        call: () => Effect.delay(returned(MAGIC)(), "2 seconds")
      }
    ]
  ]
  for (const [name, script] of waits)
    it.effect(`${name}: five seconds, not more`, () =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.flip(verify(contractClaim, script)))
        yield* TestClock.adjust(Duration.millis(4_999))
        assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
        yield* TestClock.adjust(Duration.millis(1))
        assert.strictEqual((yield* Fiber.join(fiber))._tag, "VERIFIER_UNAVAILABLE")
      })
    )

  it.effect("an answer within the five seconds counts", () =>
    Effect.gen(function* () {
      const slow = { call: () => Effect.delay(returned(MAGIC)(), "4999 millis") }
      const fiber = yield* Effect.fork(verify(contractClaim, slow))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).by, "contract")
    })
  )
})
