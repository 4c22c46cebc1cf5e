import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { call, callForAnyone } from "../../src/chain/PinnedReads.ts"
import { gasPrice } from "../../src/chain/Reads.ts"
import type { Hex } from "../../src/values/Scalars.ts"
import { type FakeNode, type FakeNodeOptions, fakeNode, type Reply } from "../support/FakeNode.ts"
import { clientOver } from "./ChainUnderTest.ts"

const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11"
const TARGET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const text = (value: unknown, name: string): string => String(Object(value)[name])
const asHex = (value: string): Hex => `0x${value.slice(2)}`

/** Echoes the calldata; reverts where it begins with 0xdead. */
const answerOf = (data: string): Reply =>
  data.startsWith("0xdead") ? { error: { code: 3, data: "0x0bad" } } : { result: data }

const aggregated = (data: string): Reply => {
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: asHex(data) })
  const calls = Array.isArray(args?.[0]) ? args[0] : []
  const result = calls.map(({ callData }: { readonly callData: Hex }) => ({
    success: !callData.startsWith("0xdead"),
    returnData: callData.startsWith("0xdead") ? asHex("0x0bad") : callData
  }))
  return { result: encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result }) }
}

const serve = (node: FakeNode, code: string) => {
  node.on("eth_getCode", ([address]) => ({ result: address === MULTICALL ? code : "0x" }))
  node.on("eth_call", ([request]) =>
    text(request, "to") === MULTICALL ? aggregated(text(request, "data")) : answerOf(text(request, "data"))
  )
}

const onNode = <A, E>(
  body: (node: FakeNode) => Effect.Effect<A, E, ChainClient>,
  options: FakeNodeOptions & { readonly code?: string } = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const node = yield* fakeNode(options)
      serve(node, options.code ?? "0x6001")
      return yield* Effect.provide(body(node), clientOver({ chainId: 1, urls: [node.url] }))
    })
  )

const shared = (node: FakeNode, ...data: ReadonlyArray<Hex>) =>
  data.map(bytes => callForAnyone({ to: TARGET, data: bytes }, node.head().hash))

const openSession = Effect.flatMap(ChainClient, client => client.session(1))

const callsAsked = (node: FakeNode, from: number) =>
  node.calls.slice(from).map(({ params }) => text(params[0], "to"))

describe("calls that are the same for anyone", () => {
  it.effect(
    "are asked by themselves until their block was seen to have Multicall3, in the same round trip",
    () =>
      onNode(node =>
        Effect.gen(function* () {
          const session = yield* openSession
          const before = node.roundTrips()
          const answers = yield* session.all(shared(node, "0x01", "0x02"))
          assert.deepStrictEqual(answers, [
            { _tag: "Returned", data: "0x01" },
            { _tag: "Returned", data: "0x02" }
          ])
          assert.strictEqual(node.roundTrips() - before, 1)
          const probe = node.calls.filter(({ method }) => method === "eth_getCode")
          const pin = { blockHash: node.head().hash, requireCanonical: true }
          assert.deepStrictEqual(
            probe.map(({ params }) => params),
            [[MULTICALL, pin]]
          )
        })
      )
  )

  it.effect("then share one call at their block and keep their places", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        yield* session.all(shared(node, "0x01", "0x02"))
        const asked = node.calls.length
        const before = node.roundTrips()
        const own = call({ to: TARGET, data: "0x05" }, node.head().hash)
        const [first, second, third] = shared(node, "0x01", "0x02", "0x03")
        if (!first || !second || !third) return assert.fail("three calls")
        const answers = yield* session.all([first, gasPrice, second, own, third])
        assert.deepStrictEqual(answers, [
          { _tag: "Returned", data: "0x01" },
          1_000_000_000n,
          { _tag: "Returned", data: "0x02" },
          { _tag: "Returned", data: "0x05" },
          { _tag: "Returned", data: "0x03" }
        ])
        assert.strictEqual(node.roundTrips() - before, 1)
        assert.deepStrictEqual(callsAsked(node, asked), ["undefined", TARGET, MULTICALL])
        const pin = { blockHash: node.head().hash, requireCanonical: true }
        assert.deepStrictEqual(node.calls.at(-1)?.params[1], pin)
      })
    )
  )

  it.effect.each([
    [200, [MULTICALL, MULTICALL]],
    [202, [MULTICALL, MULTICALL, MULTICALL]],
    [201, [TARGET, MULTICALL, MULTICALL]]
  ] as const)("share as many calls as %d of them need, at a hundred each", ([count, targets]) =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        yield* session.all(shared(node, "0x01", "0x02"))
        const data = Array.from({ length: count }, (_, index) => asHex(`0x${String(1_000 + index)}`))
        const asked = node.calls.length
        const answers = yield* session.all(shared(node, ...data))
        assert.deepStrictEqual(
          answers,
          data.map(bytes => ({ _tag: "Returned", data: bytes }) as const)
        )
        assert.deepStrictEqual(callsAsked(node, asked), [...targets])
      })
    )
  )

  it.effect("are asked again by themselves where they fail among others", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        yield* session.all(shared(node, "0x01", "0x02"))
        const before = node.roundTrips()
        assert.deepStrictEqual(yield* session.all(shared(node, "0x01", "0xdead01")), [
          { _tag: "Returned", data: "0x01" },
          { _tag: "Reverted", data: "0x0bad" }
        ])
        assert.strictEqual(node.roundTrips() - before, 2)
      })
    )
  )

  const nonsense: ReadonlyArray<Reply> = [
    { result: "0x" },
    { result: `0x${"ff".repeat(96)}` },
    { result: encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result: [] }) },
    { error: { code: -32000 } },
    { error: { code: 3, data: "0x" } }
  ]

  it.effect.each(nonsense)("are asked by themselves where the shared answer says nothing: %o", reply =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        yield* session.all(shared(node, "0x01", "0x02"))
        node.once("eth_call", reply)
        assert.deepStrictEqual(yield* session.all(shared(node, "0x03", "0x04")), [
          { _tag: "Returned", data: "0x03" },
          { _tag: "Returned", data: "0x04" }
        ])
      })
    )
  )

  it.effect("never share a call where the block has no Multicall3", () =>
    onNode(
      node =>
        Effect.gen(function* () {
          const session = yield* openSession
          yield* session.all(shared(node, "0x01", "0x02"))
          const asked = node.calls.length
          yield* session.all(shared(node, "0x01", "0x02"))
          assert.deepStrictEqual(callsAsked(node, asked), [TARGET, TARGET])
        }),
      { code: "0x" }
    )
  )

  it.effect("share one at the head, though an older block without Multicall3 was asked of first", () =>
    onNode(node =>
      Effect.gen(function* () {
        const old = shared(node, "0x01", "0x02")
        const head = node.mine()
        node.on("eth_getCode", ([, pin]) => ({
          result: text(pin, "blockHash") === head.hash ? "0x6001" : "0x"
        }))
        const session = yield* openSession
        yield* session.all(old)
        yield* session.all(shared(node, "0x01", "0x02"))
        const asked = node.calls.length
        yield* session.all(shared(node, "0x01", "0x02"))
        assert.deepStrictEqual(callsAsked(node, asked), [MULTICALL])
        assert.deepStrictEqual(yield* session.all(old), [
          { _tag: "Returned", data: "0x01" },
          { _tag: "Returned", data: "0x02" }
        ])
      })
    )
  )

  it.effect("share one where only an older block was seen to have Multicall3", () =>
    onNode(node =>
      Effect.gen(function* () {
        const old = shared(node, "0x01", "0x02")
        node.mine()
        const session = yield* openSession
        yield* session.all(old)
        const asked = node.calls.length
        yield* session.all(shared(node, "0x01", "0x02"))
        assert.deepStrictEqual(callsAsked(node, asked), [MULTICALL])
      })
    )
  )

  it.effect("save round trips where the endpoint takes no batches", () =>
    onNode(
      node =>
        Effect.gen(function* () {
          const session = yield* openSession
          yield* session.all(shared(node, "0x01", "0x02"))
          const before = node.roundTrips()
          yield* session.all(shared(node, "0x01", "0x02", "0x03", "0x04"))
          assert.strictEqual(node.roundTrips() - before, 1)
        }),
      { batches: "refusedByError" }
    )
  )
})

describe("a call that may depend on its sender", () => {
  it.effect("never travels through Multicall3", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        yield* session.all(shared(node, "0x01", "0x02"))
        const asked = node.calls.length
        const own = call({ to: TARGET, data: "0x05" }, node.head().hash)
        yield* session.all([own, own])
        assert.deepStrictEqual(callsAsked(node, asked), [TARGET, TARGET])
      })
    )
  )
})
