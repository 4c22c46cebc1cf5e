/** What the service quotes where the deployed contracts previewed as recorded. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { runQuoteCashOut } from "../../src/operations/payments/quote_cash_out/Run.ts"
import { runQuotePay } from "../../src/operations/payments/quote_pay/Run.ts"
import { Address, Hex } from "../../src/values/Scalars.ts"
import { type Contracts, pinnedCatalog } from "../operations/support/Contracts.ts"
import {
  paidProject,
  primaryTerminalOf,
  registeredBuyback,
  registeredRouter,
  specOf,
  terminalsOf,
  useHook
} from "../operations/support/Payments.ts"
import { NATIVE, PROJECT, ruleset } from "../operations/support/Revnets.ts"
import { type Call, recordingOf } from "./Recording.ts"

const Spec = Schema.Struct({ hook: Address, noop: Schema.Boolean, amount: Schema.BigInt, metadata: Hex })
const Ruled = Schema.Struct({ ruleset: Schema.Struct({ id: Schema.String }) })
const Specified = Schema.Struct({ ...Ruled.fields, hookSpecifications: Schema.Array(Spec) })

const Pay = Schema.Struct({
  ...Specified.fields,
  beneficiaryTokenCount: Schema.BigInt,
  reservedTokenCount: Schema.BigInt
})

const CashOut = Schema.Struct({
  ...Specified.fields,
  reclaimAmount: Schema.BigInt,
  cashOutTaxRate: Schema.BigInt
})

const Asked = Schema.Tuple([Schema.String, Address, Schema.String, Address, Hex], Schema.Unknown)

const CashedOut = Schema.Tuple(Address, Schema.String, Schema.String, Address, Address, Hex)

const stepOf = (scenario: string, index: number): Call => {
  const step = recordingOf(scenario).steps[index]
  return step !== undefined && "function" in step ? step : assert.fail(`${scenario} has no call ${index}`)
}

const answered = <A, I>(call: Call, as: Schema.Schema<A, I>): A => Schema.decodeUnknownSync(as)(call.result)

const here = ({ ruleset: { id } }: typeof Ruled.Type) => ruleset({ id: id === "0" ? 0 : ruleset().id })

const bought = Effect.map(paidProject, world =>
  useHook(world, "useDataHookForPay", world.at("JBBuybackHookRegistry")).says(
    registeredBuyback,
    world.at("JBBuybackHook")
  )
)

const sold = Effect.map(paidProject, world => {
  const isTerminalOf = { contract: "JBDirectory", function: "isTerminalOf" }
  return useHook(world, "useDataHookForCashOut", world.at("JBBuybackHookRegistry"))
    .says(registeredBuyback, world.at("JBBuybackHook"))
    .says({ ...isTerminalOf, args: [PROJECT, world.at("JBMultiTerminal")] }, true)
    .says(
      { contract: "JBMultiTerminal", function: "accountingContextForTokenOf", args: [PROJECT, NATIVE] },
      { token: NATIVE, decimals: 18, currency: 61_166 }
    )
    .says({ contract: "JBMultiTerminal", function: "FEELESS_ADDRESSES" }, world.at("JBFeelessAddresses"))
    .says({ contract: "JBMultiTerminal", function: "feeFreeSurplusOf", args: [PROJECT, NATIVE] }, 0n)
})

/** A recorded preview of a payment, for the project of the tests. */
const payPreviewed = (world: Contracts, call: Call) => {
  const preview = answered(call, Pay)
  const [, token, amount, beneficiary, metadata] = Schema.decodeUnknownSync(Asked)(call.args)
  for (const contract of ["JBMultiTerminal", "JBRouterTerminalRegistry"])
    world.says(
      {
        contract,
        function: "previewPayFor",
        args: [PROJECT, token, BigInt(amount), beneficiary, metadata]
      },
      [
        here(preview),
        preview.beneficiaryTokenCount,
        preview.reservedTokenCount,
        preview.hookSpecifications.map(specOf)
      ]
    )
  const input = {
    project: { chainId: 1, projectId: String(PROJECT) },
    account: call.from,
    token,
    amount,
    beneficiary,
    metadata
  }
  return world.answers(runQuotePay, input)
}

const cashOutPreviewed = (world: Contracts, call: Call) => {
  const preview = answered(call, CashOut)
  const [holder, , count, token, beneficiary, metadata] = Schema.decodeUnknownSync(CashedOut)(call.args)
  return world
    .says(
      {
        contract: "JBMultiTerminal",
        function: "previewCashOutFrom",
        args: [holder, PROJECT, BigInt(count), token, beneficiary, metadata]
      },
      [here(preview), preview.reclaimAmount, preview.cashOutTaxRate, preview.hookSpecifications.map(specOf)]
    )
    .says(
      {
        contract: "JBFeelessAddresses",
        function: "isFeelessFor",
        args: [beneficiary, PROJECT, holder]
      },
      false
    )
}

describe("quotes of what was recorded", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("take a swap's counts from the hook's words while the terminal issues nothing", () =>
      Effect.gen(function* () {
        const { answer } = yield* payPreviewed(yield* bought, stepOf("buyback-swap", 14))
        assert.deepInclude(Object(answer), {
          quoteBasis: "buyback-hook-indicative-output",
          beneficiaryTokenCount: "119626733504861559763",
          reservedTokenCount: "13291859278317951085"
        })
        assert.deepInclude(Object(answer).rawTerminalPreview, { beneficiaryTokenCount: "0" })
      })
    )

    it.effect("take the terminal's counts where a pool is empty or the asked minimum is issued anyway", () =>
      Effect.gen(function* () {
        for (const index of [4, 22]) {
          const { answer } = yield* payPreviewed(yield* bought, stepOf("buyback-swap", index))
          assert.deepInclude(Object(answer), {
            quoteBasis: "terminal-issuance-preview",
            beneficiaryTokenCount: "90000000000000000000"
          })
        }
      })
    )

    it.effect("sell to the pool by the metadata that the hook was seen to take, and take no fee", () =>
      Effect.gen(function* () {
        const [bare, insisting] = [stepOf("buyback-swap", 35), stepOf("buyback-swap", 38)]
        const world = cashOutPreviewed(cashOutPreviewed(yield* sold, bare), insisting)
        const [holder, , cashOutCount, tokenToReclaim, beneficiary] = bare.args
        const { answer } = yield* world.answers(runQuoteCashOut, {
          project: { chainId: 1, projectId: String(PROJECT) },
          ...{ holder, cashOutCount, tokenToReclaim, beneficiary }
        })
        assert.deepInclude(Object(answer), {
          route: "amm",
          expectedReturn: "334512042815124557",
          minimumReturn: "331166922386973311",
          terminalMinimum: "0",
          metadata: insisting.args[5],
          treasuryProtocolFee: "0",
          treasuryNet: "1166500498504486",
          cashOutTaxRate: "10000"
        })
      })
    )

    it.effect("find no route for a token that the registry previewed with zeros", () =>
      Effect.gen(function* () {
        const recorded = recordingOf("router-terminal").steps.find(
          step => step.kind === "read" && step.note === "no pool between USDC and the native token"
        )
        const call = stepOf("router-terminal", recorded?.index ?? -1)
        const token = Schema.decodeUnknownSync(Asked)(call.args)[1]
        const world = yield* paidProject
        const registry = world.at("JBRouterTerminalRegistry")
        world
          .says(primaryTerminalOf(token), registry)
          .says(terminalsOf, [world.at("JBMultiTerminal"), registry])
          .says(registeredRouter, world.at("JBRouterTerminal"))
        const { refused } = yield* payPreviewed(world, call)
        assert.strictEqual(refused, "NO_PAYMENT_ROUTE")
      })
    )
  })
})
