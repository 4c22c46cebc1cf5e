import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runQuoteCashOut } from "../../../src/operations/payments/quote_cash_out/Run.ts"
import { runQuotePay } from "../../../src/operations/payments/quote_pay/Run.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import {
  ACCOUNT,
  BENEFICIARY,
  CLONE,
  extraHookOf,
  paidProject,
  specOf,
  tieredHookOf,
  type Use,
  useHook,
  withClone
} from "../support/Payments.ts"
import { NATIVE, PROJECT, ruleset, ZERO } from "../support/Revnets.ts"

const AMOUNT = 1_000n
const project = { chainId: 1, projectId: String(PROJECT) }

const behindDeployer = (use: Use, handlesCashOuts: boolean) =>
  Effect.map(paidProject, world =>
    withClone(useHook(world, use, world.at("JBOmnichainDeployer")))
      .says(tieredHookOf, [CLONE, handlesCashOuts])
      .says(extraHookOf, { dataHook: ZERO, useDataHookForPay: false, useDataHookForCashOut: false })
  )

const paid = Effect.map(behindDeployer("useDataHookForPay", false), world =>
  world.says(
    {
      contract: "JBMultiTerminal",
      function: "previewPayFor",
      args: [PROJECT, NATIVE, AMOUNT, BENEFICIARY, "0x"]
    },
    [ruleset(), 800n, 200n, [specOf({ hook: CLONE })]]
  )
)

const cashedOut = Effect.map(behindDeployer("useDataHookForCashOut", true), world =>
  world
    .says(
      {
        contract: "JBMultiTerminal",
        function: "previewCashOutFrom",
        args: [ACCOUNT, PROJECT, AMOUNT, NATIVE, BENEFICIARY, "0x"]
      },
      [ruleset(), 4_000n, 5_000n, []]
    )
    .says(
      {
        contract: "JBDirectory",
        function: "isTerminalOf",
        args: [PROJECT, world.at("JBMultiTerminal")]
      },
      true
    )
    .says(
      {
        contract: "JBMultiTerminal",
        function: "accountingContextForTokenOf",
        args: [PROJECT, NATIVE]
      },
      { token: NATIVE, decimals: 18, currency: 61_166 }
    )
    .says({ contract: "JBMultiTerminal", function: "FEELESS_ADDRESSES" }, world.at("JBFeelessAddresses"))
    .says(
      {
        contract: "JBFeelessAddresses",
        function: "isFeelessFor",
        args: [BENEFICIARY, PROJECT, ACCOUNT]
      },
      false
    )
)

const asks = [
  {
    name: "quote_pay",
    chain: paid,
    operation: runQuotePay,
    input: { project, account: ACCOUNT, token: NATIVE, amount: String(AMOUNT), beneficiary: BENEFICIARY }
  },
  {
    name: "quote_cash_out",
    chain: cashedOut,
    operation: runQuoteCashOut,
    input: {
      project,
      holder: ACCOUNT,
      cashOutCount: String(AMOUNT),
      tokenToReclaim: NATIVE,
      beneficiary: BENEFICIARY
    }
  }
]

const asked = (world: Contracts, { operation, input }: (typeof asks)[number]) =>
  world.answers(operation, input)

describe("behind the omnichain deployer", () => {
  it.layer(pinnedCatalog)(it => {
    for (const ask of asks)
      it.effect(`${ask.name} takes three round trips, and answers the same where nothing is foreseen`, () =>
        Effect.gen(function* () {
          const world = yield* ask.chain
          const { answer, roundTrips } = yield* asked(world, ask)
          assert.isDefined(answer)
          assert.strictEqual(roundTrips, 3)
          const step = yield* asked(Object.assign(world, { foresees: false }), ask)
          assert.deepStrictEqual([step.answer, step.roundTrips], [answer, 4])
        })
      )

    it.effect("a hook that was foreseen is proved as any other", () =>
      Effect.gen(function* () {
        for (const ask of asks) {
          const world = (yield* ask.chain).code(CLONE, "0x6001")
          assert.strictEqual((yield* asked(world, ask)).refused, "UNSUPPORTED_721_HOOK")
        }
      })
    )
  })
})
