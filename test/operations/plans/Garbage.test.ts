/** Whatever one answer of a chain is, a plan is the same call with another minimum at most, or refused; none breaks the service. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { encodeAbiParameters } from "viem"
import type { PlanOperation } from "../../../src/operations/framework/DefinePlan.ts"
import { runPrepare721Pay } from "../../../src/operations/nfts/prepare_721_pay/Run.ts"
import { runPrepareAdjustTiers } from "../../../src/operations/nfts/prepare_adjust_tiers/Run.ts"
import { metadataFor } from "../../../src/operations/nfts/ShopPayQuote.ts"
import { runPrepareCashOut } from "../../../src/operations/payments/prepare_cash_out/Run.ts"
import { runPreparePay } from "../../../src/operations/payments/prepare_pay/Run.ts"
import { runPreparePayout } from "../../../src/operations/payments/prepare_payout/Run.ts"
import type { PlanDraft } from "../../../src/plans/PlanDraft.ts"
import { metadataOf } from "../../../src/protocol/MetadataEntry.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { type NodeReply, type Script, scriptedChain } from "../../protocol/support/ScriptedChain.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import {
  ACCOUNT,
  BENEFICIARY,
  paidProject,
  primaryTerminalOf,
  registeredBuyback,
  specOf,
  terminalsOf,
  useHook,
  words
} from "../support/Payments.ts"
import { NATIVE, PROJECT, ruleset, ZERO } from "../support/Revnets.ts"
import { HOOK, hookCall, shop, storeCall, tier } from "../support/Shops.ts"

const COUNT = 10n ** 18n
const TERMINAL = "JBMultiTerminal"
const TOKEN: Address = "0x00000000000000000000000000000000000000cc"
const WORD = 64
/** Of all ways to change an answer; 1 tries each of them. */
const STRIDE = Number(process.env.GARBAGE_STRIDE ?? 4)
const UNDER_LOAD = 90_000

const project = { chainId: 1, projectId: String(PROJECT) }
const paid = { project, account: ACCOUNT, amount: String(COUNT), beneficiary: BENEFICIARY }

interface Garbled {
  readonly what: string
  readonly result: string
}

const filled = (result: string, word: string): string =>
  `0x${word.repeat(Math.floor((result.length - 2) / WORD))}`

const wordsOf = (result: string): number => Math.floor((result.length - 2) / WORD)

const garbledFrom = (result: string): ReadonlyArray<Garbled> => [
  { what: "nothing", result: "0x" },
  { what: "zeros", result: filled(result, "0".repeat(WORD)) },
  { what: "the highest words", result: filled(result, "f".repeat(WORD)) },
  { what: "large words", result: filled(result, "0".repeat(12).concat("1").padEnd(WORD, "0")) },
  { what: "half a word less", result: result.slice(0, -WORD / 2) },
  { what: "words more", result: `${result}${"f".repeat(WORD).repeat(40)}` },
  ...Array.from({ length: wordsOf(result) }, (_, at) => ({
    what: `another word ${at}`,
    result: `${result.slice(0, 2 + at * WORD)}${"f".repeat(WORD)}${result.slice(2 + (at + 1) * WORD)}`
  }))
]

interface Faulty {
  /** The answers that were given to be changed, in their order. */
  readonly given: Array<string>
  change: { readonly at: number; readonly result: string } | undefined
}

/** A node that foresees nothing and changes one of its answers. */
const faultyNode = (world: Contracts, faulty: Faulty): Script => ({
  balance: world.script.balance ?? 0n,
  codes: world.script.codes ?? {},
  calls: (to, data, value): NodeReply => {
    const reply = world.script.calls?.(to, data, value) ?? { result: "0x" }
    if (!("result" in reply)) return reply
    const at = faulty.given.push(reply.result) - 1
    return faulty.change?.at === at ? { result: faulty.change.result } : reply
  }
})

const told = ({ calls }: PlanDraft, minimums: ReadonlyArray<number>) => {
  const main = calls.at(-1)
  const args = main?.decoded.args.map((argument, at) => (minimums.includes(at) ? "" : argument))
  const approvals = calls.slice(0, -1).map(({ to, value, decoded }) => [to, value, decoded.args[0]])
  return { to: main?.to, value: main?.value, function: main?.decoded.function, args, approvals }
}

/** How often it was refused and planned. */
const hold = Effect.fn("hold")(function* (
  world: Contracts,
  operation: PlanOperation<PinnedContracts>,
  input: unknown,
  minimums: ReadonlyArray<number>
) {
  const faulty: Faulty = { given: [], change: undefined }
  const node = Layer.provide(PinnedContracts.layer, scriptedChain(faultyNode(world, faulty)))
  const pinned = yield* Effect.provide(PinnedContracts, node)
  const drafted = Effect.suspend(() => {
    faulty.given.length = 0
    return Effect.flatMap(operation.prepare(input), ({ draft }) => draft)
  }).pipe(Effect.provideService(PinnedContracts, pinned))
  const { approvals: _, ...expected } = told(yield* drafted, minimums)
  const changes = faulty.given.flatMap((answer, at) => garbledFrom(answer).map(each => ({ ...each, at })))
  const counts = { planned: 0, refused: 0 }
  for (const { at, what, result } of changes.filter((_, index) => index % STRIDE === 0)) {
    faulty.change = { at, result }
    const exit = yield* Effect.exit(drafted)
    if (Exit.isFailure(exit)) {
      counts.refused += 1
      assert.isFalse(Cause.isDie(exit.cause), `answer ${at} with ${what}: ${Cause.pretty(exit.cause)}`)
      continue
    }
    counts.planned += 1
    const { approvals, ...main } = told(exit.value, minimums)
    assert.deepStrictEqual(main, expected, `answer ${at} with ${what}`)
    assert.isTrue(
      approvals.every(([to, value, spender]) => to === TOKEN && value === "0" && spender === main.to)
    )
  }
  return counts
})

const previewing = (world: Contracts, token: Address, metadata: Hex, value: unknown) =>
  world.says(
    { contract: TERMINAL, function: "previewPayFor", args: [PROJECT, token, COUNT, BENEFICIARY, metadata] },
    value
  )

const swapping = Effect.map(paidProject, world => {
  const hook = world.at("JBBuybackHook")
  useHook(world, "useDataHookForPay", world.at("JBBuybackHookRegistry")).says(registeredBuyback, hook)
  const words15: Array<bigint | Address> = Array.from({ length: 15 }, () => 0n)
  words15[4] = world.at("JBController")
  words15[11] = 5_000n
  const specs = [specOf({ hook, amount: COUNT, metadata: words(words15) })]
  const args = [PROJECT, NATIVE, COUNT, BENEFICIARY, 4_950n, "", "0x"]
  return previewing(world, NATIVE, "0x", [ruleset(), 800n, 0n, specs]).says(
    { contract: TERMINAL, function: "pay", args },
    5_000n
  )
})

const inToken = Effect.map(paidProject, world => {
  const erc20 = (name: string, ...args: ReadonlyArray<unknown>) => ({
    contract: "JBERC20",
    at: TOKEN,
    function: name,
    args
  })
  const terminal = world.at(TERMINAL)
  return previewing(world, TOKEN, "0x", [ruleset(), 800n, 0n, []])
    .says(primaryTerminalOf(TOKEN), terminal)
    .says(erc20("allowance", ACCOUNT, terminal), 5n)
    .says(erc20("allowance", ACCOUNT, world.at("JBRouterTerminalRegistry")), 0n)
    .says(erc20("balanceOf", ACCOUNT), COUNT)
    .says(erc20("approve", terminal, 0n), true)
})

const ofTerminal = (world: Contracts) =>
  world
    .says({ contract: "JBDirectory", function: "isTerminalOf", args: [PROJECT, world.at(TERMINAL)] }, true)
    .says(
      { contract: TERMINAL, function: "accountingContextForTokenOf", args: [PROJECT, NATIVE] },
      { token: NATIVE, decimals: 18, currency: 61_166 }
    )

const cashingOut = Effect.map(paidProject, world => {
  const hook = world.at("JBBuybackHook")
  useHook(world, "useDataHookForCashOut", world.at("JBBuybackHookRegistry")).says(registeredBuyback, hook)
  const asked = encodeAbiParameters([{ type: "uint256" }, { type: "bool" }], [9_900n, false])
  const metadata = metadataOf({ purpose: "cashOut", target: hook }, asked)
  const spec = specOf({ hook, metadata: words([10_000n, COUNT, 3_900n, 0n, 0n, 0n, 0n, 0n]) })
  const preview = (given: Hex) => ({
    contract: TERMINAL,
    function: "previewCashOutFrom",
    args: [ACCOUNT, PROJECT, COUNT, NATIVE, BENEFICIARY, given]
  })
  const args = [ACCOUNT, PROJECT, COUNT, NATIVE, 0n, BENEFICIARY, metadata]
  const isFeeless = { contract: "JBFeelessAddresses", function: "isFeelessFor" }
  return ofTerminal(world)
    .says(preview("0x"), [ruleset(), 4_000n, 5_000n, [spec]])
    .says(preview(metadata), [ruleset(), 4_000n, 5_000n, [spec]])
    .says({ contract: TERMINAL, function: "FEELESS_ADDRESSES" }, world.at("JBFeelessAddresses"))
    .says({ ...isFeeless, args: [BENEFICIARY, PROJECT, ACCOUNT] }, false)
    .says({ contract: "JBTokens", function: "totalBalanceOf", args: [ACCOUNT, PROJECT] }, COUNT)
    .says({ contract: TERMINAL, function: "cashOutTokensOf", args }, 0n)
})

const payingOut = Effect.map(paidProject, world => {
  const sending = (minimum: bigint) => ({
    contract: TERMINAL,
    function: "sendPayoutsOf",
    args: [PROJECT, NATIVE, 500n, 61_166n, minimum]
  })
  const groups = [PROJECT, BigInt(ruleset().id), BigInt(NATIVE)]
  return ofTerminal(world)
    .says(sending(0n), 500n)
    .says(sending(500n), 500n)
    .says({ contract: "JBSplits", function: "splitsOf", args: groups }, [])
})

const TIERS = [5, 9]

const selling = Effect.map(shop, world => {
  const metadata = metadataFor(world.at("JB721TiersHook"), { allowOverspending: false, tierIds: TIERS })
  const spec = specOf({ hook: HOOK })
  const mint = { contract: "JB721TiersHookStore", function: "recordMint", args: [COUNT, TIERS, false] }
  const args = [PROJECT, NATIVE, COUNT, BENEFICIARY, 792n, "", metadata]
  return previewing(ofTerminal(world), NATIVE, metadata, [ruleset(), 800n, 0n, [spec]])
    .says(primaryTerminalOf(), world.at(TERMINAL))
    .says(terminalsOf, [world.at(TERMINAL)])
    .says({ contract: "JBRouterTerminalRegistry", function: "terminalOf", args: [PROJECT] }, ZERO)
    .says(registeredBuyback, ZERO)
    .says({ contract: "REVOwner", function: "BUYBACK_HOOK" }, world.at("JBBuybackHookRegistry"))
    .says(hookCall("pricingContext"), [61_166n, 18n])
    .says(hookCall("PRICES"), world.at("JBPrices"))
    .says(hookCall("payCreditsOf", [BENEFICIARY]), 0n)
    .says(storeCall("tierOf", 5n, false), tier(5))
    .says(storeCall("tierOf", 9n, false), tier(9))
    .says(mint, [[5_000_000_001n, 9_000_000_001n], 0n, 0n])
    .says({ contract: TERMINAL, function: "pay", args }, 800n)
})

const adjusting = Effect.map(shop, world =>
  world
    .says(hookCall("owner"), ACCOUNT)
    .says(storeCall("maxTierIdOf"), 9n)
    .says(storeCall("reserveBeneficiaryOf", 0n), ZERO)
    .says(storeCall("tierOf", 5n, false), tier(5))
    .says(storeCall("isTierRemoved", 5n), false)
    .tells(hookCall("adjustTiers", [[], [5n]]), { result: "0x" })
)

const MINIMUM = 4
const METADATA = 6

describe("a plan whose chain gives one answer of garbage", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect.each([
      ["a payment that a buyback swaps", swapping, runPreparePay, { ...paid, token: NATIVE }, [MINIMUM]],
      ["a payment in a token", inToken, runPreparePay, { ...paid, token: TOKEN }, [MINIMUM]],
      [
        "a cash out that a buyback sells",
        cashingOut,
        runPrepareCashOut,
        {
          ...{ project, account: ACCOUNT, holder: ACCOUNT, beneficiary: BENEFICIARY },
          ...{ cashOutCount: String(COUNT), tokenToReclaim: NATIVE }
        },
        [MINIMUM, METADATA]
      ],
      [
        "a payout",
        payingOut,
        runPreparePayout,
        { project, account: ACCOUNT, token: NATIVE, amount: "500", currency: 61_166 },
        [MINIMUM]
      ],
      [
        "a payment for tiers",
        selling,
        runPrepare721Pay,
        { ...paid, token: NATIVE, tierIds: TIERS },
        [MINIMUM]
      ],
      [
        "an adjustment of tiers",
        adjusting,
        runPrepareAdjustTiers,
        { project, account: ACCOUNT, tiersToAdd: [], tierIdsToRemove: [5] },
        []
      ]
    ] as const)(
      "%s does what was asked or nothing",
      ([, world, operation, input, minimums]) =>
        Effect.gen(function* () {
          const { planned, refused } = yield* hold(yield* world, operation, input, minimums)
          assert.isAbove(planned, 0)
          assert.isAbove(refused, 0)
        }),
      UNDER_LOAD
    )
  })
})
