import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Address, encodeAbiParameters, toFunctionSelector } from "viem"
import { runPrepareAccountingSync } from "../../../src/operations/omnichain/prepare_accounting_sync/Run.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { pinnedCatalog } from "../../protocol/support/Protocol.ts"
import { type NodeReply, type Script, scriptedChain } from "../../protocol/support/ScriptedChain.ts"

const ACCOUNT: Address = "0x1111111111111111111111111111111111111111"
const SUCKER: Address = "0x2222222222222222222222222222222222222222"
const SOMEBODY: Address = "0x3333333333333333333333333333333333333333"
const FINNEY = 10n ** 15n

const REVERT: NodeReply = { error: { code: 3, data: "0x" } }
const BROKEN: NodeReply = { error: { code: -32_000 } }
const uint = (value: bigint): NodeReply => ({
  result: encodeAbiParameters([{ type: "uint256" }], [value])
})
const address = (value: Address): NodeReply => uint(BigInt(value))

type Replies = Readonly<Record<string, NodeReply | ((value: bigint) => NodeReply)>>

const takesFrom = (least: bigint) => (value: bigint) => (value < least ? REVERT : { result: "0x" })

const trusted: Replies = {
  "isSuckerOf(uint256,address)": uint(1n),
  "projectId()": uint(7n),
  "deployer()": address(SOMEBODY),
  "peerChainId()": uint(10n)
}

/** As nodes do that have no code for a revert without data. */
const untold = (reply: NodeReply): NodeReply => (reply === REVERT ? BROKEN : reply)

interface Node {
  readonly balance?: bigint
  /** Whether it tells a revert without data only inside a program. */
  readonly tellsInside?: boolean
}

const prepare = (replies: Replies, most: bigint, { balance = 10n ** 18n, tellsInside = false }: Node) => {
  const bySelector = new Map(
    Object.entries(replies).map(([signature, reply]) => [toFunctionSelector(signature), reply])
  )
  const calls = (_: string, data: string, value: bigint): NodeReply => {
    const reply = bySelector.get(`0x${data.slice(2, 10)}`) ?? REVERT
    return typeof reply === "function" ? reply(value) : reply
  }
  const told: Script = tellsInside
    ? {
        calls: (to, data, value) => untold(calls(to, data, value)),
        packed: (to, data) => calls(to, data, 0n)
      }
    : { calls }
  return Effect.provide(
    Effect.flatMap(
      runPrepareAccountingSync.prepare({
        project: { chainId: 1, projectId: "7" },
        account: ACCOUNT,
        sucker: SUCKER,
        maxTransportValue: String(most)
      }),
      ({ draft }) => draft
    ),
    Layer.provide(PinnedContracts.layer, scriptedChain({ ...told, balance, codes: { [SUCKER]: "0x6001" } }))
  )
}

const messenger = { "OPMESSENGER()": address(SOMEBODY) }

const valueOf = (replies: Replies, most: bigint, node: Node = {}) =>
  Effect.map(prepare({ ...trusted, ...replies }, most, node), ({ calls, summary }) => {
    const { transport, simulatedValue } = Object(summary)
    assert.strictEqual(calls[0]?.value, simulatedValue)
    return [transport, simulatedValue, calls[0]?.decoded.contractId.split(":").at(-1)]
  })

const refusalOf = (replies: Replies, most: bigint, node: Node = {}) =>
  Effect.map(Effect.flip(prepare({ ...trusted, ...replies }, most, node)), ({ _tag }) => _tag)

describe("a sync of accounts", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("is sent with the least usual value of the transport that does", () =>
      Effect.gen(function* () {
        const sync = { "syncAccountingData()": takesFrom(2n * FINNEY) }
        const ccip = { ...sync, "CCIP_ROUTER()": address(SOMEBODY) }
        assert.deepStrictEqual(yield* valueOf(ccip, 600n * FINNEY), ["ccip", String(5n * FINNEY), "JBSucker"])
        assert.deepStrictEqual(yield* valueOf({ ...sync, ...messenger }, 600n * FINNEY), [
          "native",
          String(10n * FINNEY),
          "JBSucker"
        ])
        const inbox = { ...sync, "ARBINBOX()": address(SOMEBODY) }
        assert.deepStrictEqual(yield* valueOf(inbox, 3n * FINNEY), [
          "native",
          String(3n * FINNEY),
          "JBSucker"
        ])
        const free = { "syncAccountingData()": takesFrom(0n) }
        assert.deepStrictEqual(yield* valueOf({ ...free, ...messenger }, FINNEY), ["native", "0", "JBSucker"])
        assert.deepStrictEqual(yield* valueOf({ ...free, "CCIP_ROUTER()": address(SOMEBODY) }, FINNEY), [
          "ccip",
          String(FINNEY),
          "JBSucker"
        ])
      })
    )

    it.effect("leaves from Arbitrum too, where a sucker has no inbox", () =>
      Effect.gen(function* () {
        const sync = { "syncAccountingData()": takesFrom(0n), "ARBINBOX()": uint(0n) }
        assert.deepStrictEqual(yield* valueOf({ ...sync, "GATEWAYROUTER()": address(SOMEBODY) }, FINNEY), [
          "native",
          "0",
          "JBSucker"
        ])
        assert.strictEqual(
          yield* refusalOf({ ...sync, "GATEWAYROUTER()": uint(0n) }, FINNEY),
          "UNKNOWN_SUCKER_TRANSPORT"
        )
      })
    )

    it.effect("needs a transport that is known", () =>
      Effect.gen(function* () {
        const sync = { "syncAccountingData()": takesFrom(0n) }
        assert.strictEqual(yield* refusalOf(sync, FINNEY), "UNKNOWN_SUCKER_TRANSPORT")
        assert.strictEqual(
          yield* refusalOf({ ...sync, "OPMESSENGER()": uint(0n) }, FINNEY),
          "UNKNOWN_SUCKER_TRANSPORT"
        )
        assert.strictEqual(
          yield* refusalOf({ ...sync, ...messenger, "CCIP_ROUTER()": BROKEN }, FINNEY),
          "RPC_UNAVAILABLE"
        )
        const ccip = { ...sync, "CCIP_ROUTER()": address(SOMEBODY) }
        assert.strictEqual(yield* refusalOf(ccip, 0n), "NO_VERIFIED_TRANSPORT_VALUE")
      })
    )

    it.effect("finds the transport where the node refuses what reverts without data", () =>
      Effect.gen(function* () {
        const node = { tellsInside: true }
        const sync = { "syncAccountingData()": takesFrom(0n) }
        assert.deepStrictEqual(yield* valueOf({ ...sync, ...messenger }, FINNEY, node), [
          "native",
          "0",
          "JBSucker"
        ])
        assert.strictEqual(yield* refusalOf(sync, FINNEY, node), "UNKNOWN_SUCKER_TRANSPORT")
        const unread = { ...sync, ...messenger, "CCIP_ROUTER()": BROKEN }
        assert.strictEqual(yield* refusalOf(unread, FINNEY, node), "RPC_UNAVAILABLE")
      })
    )

    it.effect("is refused for a sucker that says it belongs to another project", () =>
      Effect.gen(function* () {
        const replies = { ...messenger, "projectId()": uint(8n) }
        assert.strictEqual(yield* refusalOf(replies, FINNEY), "SUCKER_PROJECT_MISMATCH")
      })
    )

    it.effect("takes a node's silence for no answer, except about more than the wallet has", () =>
      Effect.gen(function* () {
        const upTo = (most: bigint) => (value: bigint) => (value > most ? BROKEN : REVERT)
        const sync = { ...messenger, "syncAccountingData()": upTo(FINNEY) }
        assert.strictEqual(yield* refusalOf(sync, 50n * FINNEY), "RPC_UNAVAILABLE")
        assert.strictEqual(
          yield* refusalOf(sync, 50n * FINNEY, { balance: FINNEY }),
          "NO_VERIFIED_TRANSPORT_VALUE"
        )
      })
    )
  })
})
