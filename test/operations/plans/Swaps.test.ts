import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { encodeAbiParameters, encodeErrorResult, parseAbi } from "viem"
import { runPrepareCashOut } from "../../../src/operations/payments/prepare_cash_out/Run.ts"
import { runPreparePay } from "../../../src/operations/payments/prepare_pay/Run.ts"
import { metadataOf } from "../../../src/protocol/MetadataEntry.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { drafted } from "../support/Buyback.ts"
import { type Contracts, pinnedCatalog, REFUSED } from "../support/Contracts.ts"
import {
  ACCOUNT,
  BENEFICIARY,
  paidProject,
  registeredBuyback,
  type Spec,
  specOf,
  useHook,
  words
} from "../support/Payments.ts"
import { NATIVE, PROJECT, ruleset, STRANGER } from "../support/Revnets.ts"

const COUNT = 10n ** 18n
const TERMINAL = "JBMultiTerminal"

const project = { chainId: 1, projectId: String(PROJECT) }

const swapped = (world: Contracts, minimum: bigint): Hex => {
  const encoded = encodeAbiParameters([{ type: "uint256" }, { type: "bool" }], [minimum, false])
  return metadataOf({ purpose: "cashOut", target: world.at("JBBuybackHook") }, `0x${encoded.slice(2)}`)
}

const previewing = (world: Contracts, specs: ReadonlyArray<Spec>, metadata: Hex = "0x") =>
  world.says(
    {
      contract: TERMINAL,
      function: "previewCashOutFrom",
      args: [ACCOUNT, PROJECT, COUNT, NATIVE, BENEFICIARY, metadata]
    },
    specs.length === 0 ? [ruleset(), 4_000n, 5_000n, []] : [ruleset(), 0n, 10_000n, specs.map(specOf)]
  )

/** The call as it would be sent, which returns nothing of its own where the hook sells. */
const sending = (metadata: Hex, minimum = 0n) => ({
  contract: TERMINAL,
  function: "cashOutTokensOf",
  args: [ACCOUNT, PROJECT, COUNT, NATIVE, minimum, BENEFICIARY, metadata]
})

const cashingOut = Effect.gen(function* () {
  const world = yield* paidProject
  const hook = world.at("JBBuybackHook")
  useHook(world, "useDataHookForCashOut", world.at("JBBuybackHookRegistry")).says(registeredBuyback, hook)
  const terminal = world.at(TERMINAL)
  world
    .says({ contract: "JBDirectory", function: "isTerminalOf", args: [PROJECT, terminal] }, true)
    .says(
      { contract: TERMINAL, function: "accountingContextForTokenOf", args: [PROJECT, NATIVE] },
      { token: NATIVE, decimals: 18, currency: 61_166 }
    )
    .says({ contract: TERMINAL, function: "FEELESS_ADDRESSES" }, world.at("JBFeelessAddresses"))
    .says(
      {
        contract: "JBFeelessAddresses",
        function: "isFeelessFor",
        args: [BENEFICIARY, PROJECT, ACCOUNT]
      },
      false
    )
    .says({ contract: "JBTokens", function: "totalBalanceOf", args: [ACCOUNT, PROJECT] }, COUNT)
  return { world, hook }
})

const swap = (hook: Address, gives: bigint): Spec => ({
  hook,
  metadata: words([gives, COUNT, 3_900n, 0n, 0n, 0n, 0n, 0n])
})

const cashOut = {
  project,
  account: ACCOUNT,
  holder: ACCOUNT,
  cashOutCount: String(COUNT),
  tokenToReclaim: NATIVE,
  beneficiary: BENEFICIARY
}

describe("a cash out that a buyback hook sells", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("is held to its minimum by the hook's metadata alone", () =>
      Effect.gen(function* () {
        const { world, hook } = yield* cashingOut
        const metadata = swapped(world, 9_900n)
        previewing(previewing(world, [swap(hook, 10_000n)]), [swap(hook, 10_000n)], metadata)
        world.says(sending(metadata), 0n)
        const { draft, refused: code } = yield* drafted(world, runPrepareCashOut, cashOut)
        assert.isUndefined(code)
        const [call] = draft?.calls ?? []
        assert.deepStrictEqual(call?.decoded.args.slice(4), ["0", BENEFICIARY, metadata])
        const { route, minimumReturn, terminalMinimum } = Object(draft?.summary)
        assert.deepStrictEqual([route, minimumReturn, terminalMinimum], ["amm", "9900", "0"])
      })
    )

    it.effect("says that the holder's balance is proved only where it is known", () =>
      Effect.gen(function* () {
        const { world, hook } = yield* cashingOut
        const metadata = swapped(world, 9_900n)
        previewing(previewing(world, [swap(hook, 10_000n)]), [swap(hook, 10_000n)], metadata)
        world.says(sending(metadata), 0n)
        const isProved = Effect.map(drafted(world, runPrepareCashOut, cashOut), ({ draft }) =>
          draft?.warnings.map(warning => /of the plan's block/.test(warning)).includes(true)
        )
        assert.isTrue(yield* isProved)
        world.tells({ contract: "JBTokens", function: "totalBalanceOf", args: [ACCOUNT, PROJECT] }, REFUSED)
        assert.isFalse(yield* isProved)
      })
    )

    it.effect("is no plan where the route is another one when asked again", () =>
      Effect.gen(function* () {
        const { world, hook } = yield* cashingOut
        const metadata = swapped(world, 9_900n)
        previewing(previewing(world, [swap(hook, 10_000n)]), [], metadata)
        world.says(sending(metadata), 0n)
        const { refused: code } = yield* drafted(world, runPrepareCashOut, cashOut)
        assert.strictEqual(code, "CASH_OUT_ROUTE_REQUIRES_REQUOTE")
      })
    )

    it.effect("is no plan where a hook that nobody knows joins when asked again", () =>
      Effect.gen(function* () {
        const { world, hook } = yield* cashingOut
        const metadata = swapped(world, 9_900n)
        const joined = [swap(hook, 10_000n), { hook: STRANGER }]
        previewing(previewing(world, [swap(hook, 10_000n)]), joined, metadata)
        world.says(sending(metadata), 0n)
        const { refused: code, context } = yield* drafted(world, runPrepareCashOut, cashOut)
        assert.deepStrictEqual([code, Object(context).hook], ["UNSUPPORTED_CONFIGURATION", STRANGER])
      })
    )

    it.effect("is no plan where the call itself reverts", () =>
      Effect.gen(function* () {
        const { world, hook } = yield* cashingOut
        const metadata = swapped(world, 9_900n)
        previewing(previewing(world, [swap(hook, 10_000n)]), [swap(hook, 10_000n)], metadata)
        const data = encodeErrorResult({
          abi: parseAbi(["error JBMultiTerminal_UnderMin(uint256 value, uint256 min)"]),
          args: [1n, 2n]
        })
        world.tells(sending(metadata), { error: { code: 3, data } })
        const { refused: code, context } = yield* drafted(world, runPrepareCashOut, cashOut)
        assert.strictEqual(code, "SIMULATION_REVERTED")
        assert.strictEqual(Object(context).revert.name, "JBMultiTerminal_UnderMin")
      })
    )
  })
})

describe("a payment that a buyback hook swaps", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("insists on what the hook would give, not on what the terminal would issue", () =>
      Effect.gen(function* () {
        const world = yield* paidProject
        const hook = world.at("JBBuybackHook")
        useHook(world, "useDataHookForPay", world.at("JBBuybackHookRegistry")).says(registeredBuyback, hook)
        const told: Array<bigint | Address> = Array.from({ length: 15 }, () => 0n)
        told[4] = world.at("JBController")
        told[11] = 5_000n
        const specs = [specOf({ hook, amount: COUNT, metadata: words(told) })]
        world
          .says(
            {
              contract: TERMINAL,
              function: "previewPayFor",
              args: [PROJECT, NATIVE, COUNT, BENEFICIARY, "0x"]
            },
            [ruleset(), 800n, 0n, specs]
          )
          .says(
            {
              contract: TERMINAL,
              function: "pay",
              args: [PROJECT, NATIVE, COUNT, BENEFICIARY, 4_950n, "", "0x"]
            },
            5_000n
          )
        const pay = {
          project,
          account: ACCOUNT,
          token: NATIVE,
          amount: String(COUNT),
          beneficiary: BENEFICIARY
        }
        const { draft, refused: code } = yield* drafted(world, runPreparePay, pay)
        assert.isUndefined(code)
        assert.strictEqual(draft?.calls[0]?.decoded.args[4], "4950")
        assert.strictEqual(Object(draft?.summary).quoteBasis, "buyback-hook-indicative-output")
        assert.isTrue(draft?.warnings.some(warning => /indicative/.test(warning)))
      })
    )
  })
})
