import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Layer, Schema } from "effect"
import { encodeErrorResult, parseAbi, toFunctionSelector } from "viem"
import { definePlan, type PlanPreparation } from "../../../src/operations/framework/DefinePlan.ts"
import type { PlannedCall } from "../../../src/operations/framework/PlanCalls.ts"
import { declarePlan } from "../../../src/operations/framework/PlanOperation.ts"
import { planRegister } from "../../../src/operations/generated/PlanRegister.ts"
import { preparePayEffects } from "../../../src/operations/payments/prepare_pay/Effects.ts"
import { NothingToPayOut } from "../../../src/operations/payments/refusals.ts"
import { NATIVE_TOKEN, type Spending, spendingCalls } from "../../../src/operations/shared/Allowance.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { strict } from "../../../src/values/Strict.ts"
import { pinnedCatalog } from "../../protocol/support/Protocol.ts"
import {
  eachItsOwn,
  type NodeReply,
  noTraffic,
  type Script,
  scriptedChain
} from "../../protocol/support/ScriptedChain.ts"

const ACCOUNT: Address = "0x00000000000000000000000000000000000000AA"
const TOKEN: Address = "0x00000000000000000000000000000000000000cc"
const SPENDER: Address = "0x00000000000000000000000000000000000000DD"

const summary = strict({ note: Schema.String })
const declared = declarePlan({
  ...planRegister.prepare_payout,
  summary,
  problems: ["NOTHING_TO_PAY_OUT"]
})

const input = {
  project: { chainId: 1, projectId: "7" },
  account: ACCOUNT,
  token: NATIVE_TOKEN,
  amount: "5",
  currency: 1
}

type Call = PlannedCall<typeof preparePayEffects>

const pay = (
  value: bigint,
  dependsOn: ReadonlyArray<number> = []
): Extract<Call, { readonly contract: "JBMultiTerminal" }> => ({
  contract: "JBMultiTerminal",
  function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
  args: ["7", NATIVE_TOKEN, value, ACCOUNT, "0", "", "0x"],
  value,
  label: "Pay",
  dependsOn
})

type Plan = PlanPreparation<
  typeof summary.Type,
  NothingToPayOut,
  never,
  PlannedCall<typeof preparePayEffects>
>

const told: Plan["told"] = Effect.succeed({ summary: { note: "as told" }, warnings: ["Mind the gap."] })

const PLENTY = 1_000n
const SUCCESS: NodeReply = { result: `0x${"00".repeat(31)}2a` }
const REFUSAL: NodeReply = { error: { code: -32_000 } }

const underMinimum: NodeReply = {
  error: {
    code: 3,
    data: encodeErrorResult({
      abi: parseAbi(["error JBMultiTerminal_UnderMin(uint256 amount, uint256 min)"]),
      args: [1n, 2n]
    })
  }
}

const BALANCE_OF = toFunctionSelector("balanceOf(address)")
const PAY = toFunctionSelector("pay(uint256,address,uint256,address,uint256,string,bytes)")
const APPROVE = toFunctionSelector("approve(address,uint256)")

const answering =
  (replies: Readonly<Record<string, NodeReply>>): Required<Script>["calls"] =>
  (_, data) =>
    replies[data.slice(0, 10)] ?? SUCCESS

/** The draft or the refusal, with the round trips after the one for the block. */
const drafted = Effect.fn("drafted")(function* (plan: Plan, script: Script = {}) {
  const traffic = noTraffic()
  const chain = scriptedChain({ balance: PLENTY, calls: answering({}), ...script }, traffic)
  const { draft } = yield* definePlan(declared, preparePayEffects, () => Effect.succeed(plan)).prepare(input)
  const rooms = Layer.provide(PinnedContracts.layer, chain)
  const result = yield* Effect.either(Effect.provide(draft, rooms))
  return {
    draft: Either.getOrUndefined(result),
    refusal: Either.isLeft(result) ? result.left : undefined,
    asked: traffic.batches.map(batch => batch.map(({ method }) => method)),
    sent: traffic.batches.flat().map(({ params }) => String(Object(params[0]).data).slice(0, 10))
  }
})

const spending = (allowance: bigint): Spending => ({ token: TOKEN, spender: SPENDER, needed: 50n, allowance })

describe("every prepared plan", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("is looked at in one round trip, and says what its wallet, its calls and its gas rest on", () =>
      Effect.gen(function* () {
        const { draft, asked } = yield* drafted({ calls: [pay(7n), pay(3n, [0])], told })
        assert.deepStrictEqual(
          asked.map(methods => [...methods].sort()),
          [["eth_call", "eth_estimateGas", "eth_gasPrice", "eth_getBalance", "eth_getCode"]]
        )
        const unknownBase = { baseFeePerGas: null, gasPrice: "21000", maximumFeePerGas: "21000" }
        assert.deepStrictEqual(draft?.summary, {
          note: "as told",
          wallet: { native: { balance: { status: "known", value: String(PLENTY) }, needed: "10" } },
          simulation: [
            {
              stepIndex: 0,
              returned: { status: "known", value: Object(SUCCESS).result },
              estimatedGas: { status: "known", value: "21000" }
            }
          ],
          gas: {
            limits: [{ stepIndex: 0, gas: { status: "known", value: "25200" } }],
            fees: { status: "known", value: { ...unknownBase, maximumPriorityFeePerGas: "21000" } }
          }
        })
        assert.deepInclude(draft, {
          operation: "payout",
          account: ACCOUNT,
          project: { chainId: 1, projectId: "7", version: 6 as const },
          warnings: ["Mind the gap."]
        })
        assert.strictEqual(draft?.evidence.length, 1)
      })
    )

    it.effect("names the target of each call in its one form, and none that is no address", () =>
      Effect.gen(function* () {
        const at = (address: Address) => drafted({ calls: [{ ...pay(1n), address }], told })
        const { draft } = yield* at("0x52908400098527886e0f7030069857d2e4169ee7")
        assert.strictEqual(draft?.calls[0]?.to, "0x52908400098527886E0F7030069857D2E4169EE7")
        const { refusal } = yield* at("0x5290")
        assert.strictEqual(refusal?._tag, "INVALID_PLAN_CALL")
      })
    )

    it.effect("is refused where a call that depends on no other reverts, in the contract's words", () =>
      Effect.gen(function* () {
        const { refusal } = yield* drafted(
          { calls: [pay(1n)], told },
          { calls: answering({ [PAY]: underMinimum }) }
        )
        assert.strictEqual(refusal?._tag, "SIMULATION_REVERTED")
        const { stepIndex, revert } = Object(Object(refusal).context)
        assert.deepStrictEqual([stepIndex, revert.name], [0, "JBMultiTerminal_UnderMin"])
        assert.match(Object(refusal).detail, /^The call reverts with JBMultiTerminal_UnderMin\(/)
      })
    )

    it.effect("is refused where a call that depends on no other is to an address without code", () =>
      Effect.gen(function* () {
        const nothing = { calls: answering({ [PAY]: { result: "0x" } }) }
        const { refusal } = yield* drafted({ calls: [pay(1n)], told }, nothing)
        assert.strictEqual(refusal?._tag, "DEPLOYMENT_CODE_MISSING")
        const { address } = Object(Object(refusal).context)
        const codes = { [address]: "0x6001" }
        assert.isDefined((yield* drafted({ calls: [pay(1n)], told }, { ...nothing, codes })).draft)
        const unread = { ...nothing, codesRefused: -32_000 }
        assert.isDefined((yield* drafted({ calls: [pay(1n)], told }, unread)).draft)
      })
    )

    it.effect("is looked at anew where a call reverts at a head that was overtaken, twice at most", () =>
      Effect.gen(function* () {
        const draftedAfter = (reverting: number) => {
          let ran = 0
          const calls = () => (++ran <= reverting ? underMinimum : SUCCESS)
          return drafted({ calls: [pay(5n)], told }, { calls, hash: eachItsOwn() })
        }
        const { draft } = yield* draftedAfter(2)
        assert.strictEqual(draft?.evidence[0]?.blockHash, `0x${"3".padStart(64, "0")}`)
        assert.strictEqual((yield* draftedAfter(3)).refusal?._tag, "SIMULATION_REVERTED")
      })
    )

    it.effect("runs no call that depends on another one", () =>
      Effect.gen(function* () {
        const calls = spendingCalls(spending(0n), pay(0n))
        const script = { calls: answering({ [PAY]: underMinimum }) }
        const { draft, sent } = yield* drafted({ calls, spends: undefined, told }, script)
        assert.deepStrictEqual(
          draft?.calls.map(({ dependsOn }) => dependsOn),
          [[], [0]]
        )
        assert.include(sent, APPROVE)
        assert.notInclude(sent, PAY)
      })
    )

    it.effect("does not know the outcome of a call that the node will not run", () =>
      Effect.gen(function* () {
        const { draft } = yield* drafted({ calls: [pay(1n)], told }, { calls: answering({ [PAY]: REFUSAL }) })
        const { simulation, gas } = Object(draft?.summary)
        assert.strictEqual(simulation[0].returned.error.code, "RPC_UNAVAILABLE")
        assert.strictEqual(gas.limits[0].gas.status, "known")
      })
    )

    it.effect.each<NodeReply>([REFUSAL, { error: { code: -32_601 } }, { result: "0x05" }])(
      "does not know what the node does not answer of balance and gas, and is drafted: %o",
      reply =>
        Effect.gen(function* () {
          const others = { eth_gasPrice: reply, eth_getBalance: reply, eth_estimateGas: reply }
          const { draft } = yield* drafted({ calls: [pay(1n)], told }, { others })
          const { wallet, simulation, gas } = Object(draft?.summary)
          assert.strictEqual(simulation[0].returned.status, "known")
          const code = "result" in reply ? "RPC_INVALID_RESPONSE" : "RPC_UNAVAILABLE"
          assert.strictEqual(gas.fees.error.code, code)
          assert.strictEqual(gas.limits[0].gas.error.code, code)
          assert.strictEqual(wallet.native.balance.error.code, code)
        })
    )

    it.effect("is refused where an argument is more than calldata takes, by the place of that argument", () =>
      Effect.gen(function* () {
        const { function: signature, args, ...rest } = pay(0n)
        const [project, token, amount, beneficiary, minimum, memo] = args
        const metadata = `0x${"00".repeat(131_073)}`
        const long = {
          ...rest,
          function: signature,
          args: [project, token, amount, beneficiary, minimum, memo, metadata] as const
        }
        const { refusal } = yield* drafted({ calls: [pay(0n), long], told })
        assert.strictEqual(refusal?._tag, "INVALID_PLAN_CALL")
        assert.deepStrictEqual(Object(refusal).context, {
          path: "calls[1].args[6]",
          expected: "within 131072 bytes of text and bytes in all",
          function: signature,
          label: "Pay"
        })
      })
    )

    it.effect("is refused for what its operation finds before it is for a revert", () =>
      Effect.gen(function* () {
        const { refusal } = yield* drafted(
          { calls: [pay(1n)], told: Effect.fail(new NothingToPayOut()) },
          { calls: answering({ [PAY]: underMinimum }) }
        )
        assert.strictEqual(refusal?._tag, "NOTHING_TO_PAY_OUT")
      })
    )

    it.effect("is refused where its calls together take more than the wallet has", () =>
      Effect.gen(function* () {
        const calls = [pay(600n), pay(401n, [0])]
        const poor = yield* drafted({ calls, told }, { calls: answering({ [PAY]: REFUSAL }) })
        assert.strictEqual(poor.refusal?._tag, "INSUFFICIENT_BALANCE")
        assert.deepStrictEqual(Object(poor.refusal).context, { balance: "1000", needed: "1001" })
        const enough = yield* drafted({ calls: [pay(600n), pay(400n, [0])], told })
        assert.isDefined(enough.draft)
      })
    )

    it.effect(
      "is refused where the wallet has less of the token that it spends, unless that is not known",
      () =>
        Effect.gen(function* () {
          const spends = spending(50n)
          const calls = spendingCalls(spends, pay(0n))
          const holding = (reply: NodeReply) =>
            drafted({ calls, spends, told }, { calls: answering({ [BALANCE_OF]: reply }) })
          const word = (value: number): NodeReply => ({
            result: `0x${value.toString(16).padStart(64, "0")}`
          })
          const { refusal } = yield* holding(word(49))
          assert.strictEqual(refusal?._tag, "INSUFFICIENT_BALANCE")
          assert.deepInclude(Object(refusal).context, { token: TOKEN, balance: "49", needed: "50" })
          const enough = (yield* holding(word(50))).draft
          assert.strictEqual(enough?.calls.length, 1)
          const { token } = Object(enough?.summary).wallet
          assert.deepStrictEqual(token, {
            token: TOKEN,
            spender: SPENDER,
            balance: { status: "known", value: "50" },
            allowance: "50",
            needed: "50"
          })
          const unread = Object((yield* holding(REFUSAL)).draft?.summary).wallet.token
          assert.strictEqual(unread.balance.error.code, "RPC_UNAVAILABLE")
        })
    )
  })
})
