/** Which bundler is asked and sent to, and which of its kind's questions it is asked. */
import { Context, Effect, Fiber, Layer, Option, Redacted, TestClock, TestContext } from "effect"
import { assert, it } from "vitest"
import { Settings } from "../../src/settings/Settings.ts"
import { Bundler } from "../../src/useroperations/Bundler.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { type FakeNode, fakeNode, type Reply } from "../support/FakeNode.ts"
import { testSettings } from "../support/Settings.ts"
import { until } from "../support/Until.ts"

const PLACE = { chainId: 31_337, entryPoint: ENTRY_POINT }
const HASH = `0x${"ab".repeat(32)}` as const
const SEND = "eth_sendUserOperation"
const RECEIPT = "eth_getUserOperationReceipt"
const PRICE = "pimlico_getUserOperationGasPrice"
const PRIORITY = "rundler_maxPriorityFeePerGas"

const OPERATION = {
  sender: "0x00000000000000000000000000000000000000A1",
  nonce: "0x0",
  callData: "0x",
  callGasLimit: "0x1",
  verificationGasLimit: "0x1",
  preVerificationGas: "0x1",
  maxFeePerGas: "0x1",
  maxPriorityFeePerGas: "0x1",
  signature: "0x"
} as const

const serves = (node: FakeNode): void => {
  node.on("eth_chainId", { result: `0x${PLACE.chainId.toString(16)}` })
  node.on("eth_supportedEntryPoints", { result: [ENTRY_POINT] })
}

/** Until a test tells it otherwise it takes every operation. */
const bundlerNode = Effect.map(fakeNode({ chainId: PLACE.chainId }), node => {
  const standard = { maxFeePerGas: "0x2", maxPriorityFeePerGas: "0x1" }
  node.on(PRICE, { result: { standard } })
  node.on(SEND, { result: HASH })
  serves(node)
  return node
})

const over = (...nodes: ReadonlyArray<FakeNode>) => {
  const urls = nodes.map(({ url }) => Redacted.make(url))
  const userOperations = { ...testSettings().userOperations, bundlers: [{ chainId: PLACE.chainId, urls }] }
  return Layer.provide(Bundler.layer, Layer.succeed(Settings, testSettings({ userOperations })))
}

const sent = ({ send }: typeof Bundler.Service) =>
  Effect.map(send({ ...PLACE, operation: OPERATION }), Option.getOrNull)

const breaks = (node: FakeNode): void => {
  for (const method of [PRICE, SEND, RECEIPT, "eth_chainId", "eth_supportedEntryPoints"])
    node.on(method, { wire: { kind: "reset" } })
}

const timesSent = ({ methods }: FakeNode): number => methods().filter(method => method === SEND).length

const twoBundlers = Effect.gen(function* () {
  const [first, second] = [yield* bundlerNode, yield* bundlerNode]
  return { first, second, bundler: Context.get(yield* Layer.build(over(first, second)), Bundler) }
})

it("an operation goes to the first of two bundlers while it answers", () =>
  Effect.gen(function* () {
    const { first, second, bundler } = yield* twoBundlers
    assert.strictEqual(yield* sent(bundler), HASH)
    assert.deepStrictEqual([timesSent(first), timesSent(second)], [1, 0])
  }).pipe(Effect.scoped, Effect.runPromise))

it("and to the second once the first did not answer what it was asked before", () =>
  Effect.gen(function* () {
    const { first, second, bundler } = yield* twoBundlers
    yield* bundler.fees(PLACE)
    breaks(first)
    assert.isTrue(Option.isSome(yield* bundler.fees(PLACE)))
    assert.strictEqual(yield* sent(bundler), HASH)
    assert.deepStrictEqual([timesSent(first), timesSent(second)], [0, 1])
  }).pipe(Effect.scoped, Effect.runPromise))

it("one that takes a question and answers nothing for ten seconds is BUNDLER_TIMEOUT, and is sent nothing", () =>
  Effect.gen(function* () {
    const node = yield* bundlerNode
    const bundler = Context.get(yield* Layer.build(over(node)), Bundler)
    node.on("eth_chainId", { wire: { kind: "hang" } })
    const timesAsked = () => node.methods().filter(method => method === "eth_chainId").length
    const isAsked = (times: number) =>
      Effect.promise(() =>
        until(
          async () => timesAsked(),
          asked => asked === times
        )
      )
    const asking = yield* Effect.fork(Effect.flip(bundler.checkServing(PLACE)))
    yield* isAsked(1)
    yield* TestClock.adjust("9 seconds")
    assert.isTrue(Option.isNone(yield* Fiber.poll(asking)))
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(asking))._tag, "BUNDLER_TIMEOUT")
    const sending = yield* Effect.fork(sent(bundler))
    yield* isAsked(2)
    yield* TestClock.adjust("10 seconds")
    assert.isNull(yield* Fiber.join(sending))
    assert.strictEqual(timesSent(node), 0)
  }).pipe(Effect.scoped, Effect.provide(TestContext.TestContext), Effect.runPromise))

const limited = (node: FakeNode): void => {
  for (const method of [RECEIPT, "eth_chainId"]) node.on(method, { wire: { kind: "status", status: 429 } })
}

it("one that showed that it serves is sent an operation though it does not show it again", () =>
  Effect.gen(function* () {
    const { first, second, bundler } = yield* twoBundlers
    breaks(second)
    yield* bundler.checkServing(PLACE)
    limited(first)
    assert.isTrue(Option.isNone(yield* bundler.hint(PLACE.chainId, HASH)))
    assert.strictEqual(yield* sent(bundler), HASH)
    assert.deepStrictEqual([timesSent(first), timesSent(second)], [1, 0])
  }).pipe(Effect.scoped, Effect.runPromise))

it("of two that showed it the one that answered last is sent an operation", () =>
  Effect.gen(function* () {
    const { first, second, bundler } = yield* twoBundlers
    breaks(first)
    yield* bundler.checkServing(PLACE)
    serves(first)
    yield* TestClock.adjust("1 second")
    yield* bundler.checkServing(PLACE)
    breaks(first)
    yield* TestClock.adjust("1 second")
    assert.isTrue(Option.isSome(yield* bundler.fees(PLACE)))
    limited(second)
    assert.isTrue(Option.isNone(yield* bundler.hint(PLACE.chainId, HASH)))
    assert.strictEqual(yield* sent(bundler), HASH)
    assert.deepStrictEqual([timesSent(first), timesSent(second)], [0, 1])
  }).pipe(Effect.scoped, Effect.provide(TestContext.TestContext), Effect.runPromise))

it("what it names in upper-case digits is the operation's hash, and its transaction's", () =>
  Effect.gen(function* () {
    const node = yield* bundlerNode
    const bundler = Context.get(yield* Layer.build(over(node)), Bundler)
    const upper = `0x${"AB".repeat(32)}`
    node.on(SEND, { result: upper })
    node.on(RECEIPT, { result: { userOpHash: upper, receipt: { transactionHash: `0x${"CD".repeat(32)}` } } })
    assert.strictEqual(yield* sent(bundler), HASH)
    const hint = yield* bundler.hint(PLACE.chainId, HASH)
    assert.strictEqual<unknown>(Option.getOrNull(hint), `0x${"cd".repeat(32)}`)
  }).pipe(Effect.scoped, Effect.runPromise))

it("and is sent none once it showed that it serves another chain", () =>
  Effect.gen(function* () {
    const { first, second, bundler } = yield* twoBundlers
    breaks(second)
    yield* bundler.checkServing(PLACE)
    limited(first)
    yield* bundler.hint(PLACE.chainId, HASH)
    first.on("eth_chainId", { result: "0x1" })
    assert.isNull(yield* sent(bundler))
    limited(first)
    assert.isNull(yield* sent(bundler))
    assert.strictEqual(timesSent(first), 0)
  }).pipe(Effect.scoped, Effect.runPromise))

it.each([
  ["the status 401", { wire: { kind: "status", status: 401 } }],
  ["the status 403", { wire: { kind: "status", status: 403 } }],
  ["the status 503", { wire: { kind: "status", status: 503 } }],
  ["an error to no question", { wire: { kind: "inPlace", code: -32_601 } }],
  ["what is no fee", { result: { standard: { maxFeePerGas: "-1", maxPriorityFeePerGas: "0x1" } } }]
] satisfies ReadonlyArray<readonly [string, Reply]>)(
  "one that answers another kind's question for its fees by %s is asked its own",
  (_, reply) =>
    Effect.gen(function* () {
      const node = yield* bundlerNode
      node.on(PRICE, reply)
      node.on(PRIORITY, { result: "0x7" })
      const bundler = Context.get(yield* Layer.build(over(node)), Bundler)
      const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 7n }
      assert.deepStrictEqual(Option.getOrNull(yield* bundler.fees(PLACE)), fees)
      node.on(PRIORITY, reply)
      assert.isTrue(Option.isNone(yield* bundler.fees(PLACE)))
      assert.strictEqual(yield* sent(bundler), HASH)
    }).pipe(Effect.scoped, Effect.runPromise)
)
