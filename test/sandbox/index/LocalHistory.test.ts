import { encodeFunctionData, parseEther, zeroHash } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../../sandbox/calls.ts"
import { launch, nativeLimits, payNative, rulesetOf, splitOf } from "../support/Launch.ts"
import { beneficiary, holder, owner, stranger } from "../support/Sandbox.ts"
import { NATIVE_CURRENCY } from "../support/Units.ts"
import { acts as abi, lower, startHistory } from "./History.ts"

const ETHER = parseEther("1")
const tokens = (count: number) => parseEther(String(count))

const history = await startHistory()
const sandbox = history.sandbox

afterAll(() => history.stop())

const projectOf = (projectId: bigint) => `{projectId: ${projectId}}`

describe("what happens afterwards", () => {
  it("shows payments and a cash-out with its fee, and balances as the chain has them", async () => {
    const projectId = await launch(sandbox, [rulesetOf({}, { cashOutTaxRate: 2000 })])
    await payNative(sandbox, projectId, ETHER, holder.address)
    await payNative(sandbox, projectId, ETHER, stranger.address)
    const cashOut = encodeFunctionData({
      abi,
      functionName: "cashOutTokensOf",
      args: [holder.address, projectId, tokens(500), NATIVE_TOKEN, 0n, beneficiary.address, "0x"]
    })
    await history.act("JBMultiTerminal", cashOut, holder)
    const where = projectOf(projectId)
    const { reclaimAmount, ...rest } = await history.row(
      "cashOutTokensEvents",
      "holder beneficiary cashOutCount reclaimAmount cashOutTaxRate",
      where
    )
    assert.deepStrictEqual(rest, {
      holder: lower(holder.address),
      beneficiary: lower(beneficiary.address),
      cashOutCount: String(tokens(500)),
      cashOutTaxRate: "2000"
    })
    const balance = await sandbox.client.readContract({
      ...sandbox.contract("JBTerminalStore"),
      functionName: "balanceOf",
      args: [sandbox.at("JBMultiTerminal"), projectId, NATIVE_TOKEN]
    })
    const totals =
      "balance tokenSupply volume paymentsCount redeemCount redeemVolume contributorsCount metadataUri"
    assert.deepStrictEqual(await history.row("projects", totals, where), {
      balance: String(balance),
      tokenSupply: String(tokens(1500)),
      volume: String(2n * ETHER),
      paymentsCount: 2,
      redeemCount: 1,
      redeemVolume: reclaimAmount,
      contributorsCount: 2,
      metadataUri: "ipfs://project"
    })
    assert.deepStrictEqual(
      await history.row(
        "activityEvents",
        "cashOutTokensEvent { reclaimAmount }",
        `{type: cashOutTokensEvent, projectId: ${projectId}}`
      ),
      { cashOutTokensEvent: { reclaimAmount } }
    )
    const fee = await history.row(
      "payEvents",
      "projectId distributionFromProjectId",
      `{feeFromProject: ${projectId}}`
    )
    assert.deepStrictEqual(fee, { projectId: 1, distributionFromProjectId: null })
    assert.deepStrictEqual(await history.row("burnEvents", "amount creditAmount erc20Amount from", where), {
      amount: String(tokens(500)),
      creditAmount: String(tokens(500)),
      erc20Amount: "0",
      from: lower(holder.address)
    })
    assert.isEmpty(await history.rows("manualBurnEvents", "id", where))
  })

  it("shows who holds and who paid what, and everything of it as activity", async () => {
    const projectId = await launch(sandbox, [rulesetOf()])
    await payNative(sandbox, projectId, ETHER, holder.address)
    await payNative(sandbox, projectId, ETHER, holder.address)
    const where = projectOf(projectId)
    const fields = "address balance creditBalance erc20Balance volume paymentsCount wallet { address }"
    assert.deepStrictEqual(await history.rows("participants", fields, where), [
      {
        address: lower(holder.address),
        balance: String(tokens(2000)),
        creditBalance: String(tokens(2000)),
        erc20Balance: "0",
        volume: String(2n * ETHER),
        paymentsCount: 2,
        wallet: { address: lower(holder.address) }
      }
    ])
    const snapshots = await history.rows("participantSnapshots", "balance volume", where)
    assert.deepStrictEqual(snapshots, [
      { balance: String(tokens(1000)), volume: String(ETHER) },
      { balance: String(tokens(2000)), volume: String(2n * ETHER) }
    ])
    const activity = await history.rows("activityEvents", "type payEvent { amount } burnEvent { id }", where)
    const types = activity.map(({ type }) => type)
    assert.sameMembers(types, [
      "projectCreateEvent",
      "rulesetQueuedEvent",
      "mintTokensEvent",
      "payEvent",
      "mintTokensEvent",
      "payEvent"
    ])
    for (const { type, payEvent, burnEvent } of activity) {
      assert.deepStrictEqual(payEvent, type === "payEvent" ? { amount: String(ETHER) } : null)
      assert.isNull(burnEvent)
    }
  })

  it("shows payouts, an allowance, what splits got and where fees went", async () => {
    const split = splitOf({ percent: 500_000_000, projectId: 1n, beneficiary: beneficiary.address })
    const projectId = await launch(sandbox, [
      rulesetOf({
        splitGroups: [{ groupId: BigInt(NATIVE_TOKEN), splits: [split] }],
        fundAccessLimitGroups: [nativeLimits(sandbox, ETHER, ETHER)]
      })
    ])
    const currency = BigInt(NATIVE_CURRENCY)
    const payouts = encodeFunctionData({
      abi,
      functionName: "sendPayoutsOf",
      args: [projectId, NATIVE_TOKEN, ETHER, currency, 0n]
    })
    const allowance = encodeFunctionData({
      abi,
      functionName: "useAllowanceOf",
      args: [projectId, NATIVE_TOKEN, ETHER, currency, 0n, owner.address, owner.address, "used"]
    })
    const added = encodeFunctionData({
      abi,
      functionName: "addToBalanceOf",
      args: [projectId, NATIVE_TOKEN, ETHER, false, "more", "0x"]
    })
    await payNative(sandbox, projectId, 4n * ETHER, holder.address)
    await history.act("JBMultiTerminal", payouts)
    await history.act("JBMultiTerminal", allowance)
    await history.act("JBMultiTerminal", added, owner, ETHER)
    const where = projectOf(projectId)
    const fee = String(ETHER / 40n)
    const halfFee = String(ETHER / 80n)
    assert.deepStrictEqual(
      await history.row("sendPayoutsEvents", "amount amountPaidOut fee rulesetCycleNumber", where),
      { amount: String(ETHER), amountPaidOut: String(ETHER), fee: halfFee, rulesetCycleNumber: 1 }
    )
    const splitFields = "amount splitProjectId percent beneficiary lockedUntil group"
    assert.deepStrictEqual(await history.row("sendPayoutToSplitEvents", splitFields, where), {
      amount: String(ETHER / 2n),
      splitProjectId: 1,
      percent: 500_000_000,
      beneficiary: lower(beneficiary.address),
      lockedUntil: "0",
      group: String(BigInt(NATIVE_TOKEN))
    })
    assert.deepStrictEqual(await history.row("useAllowanceEvents", "memo beneficiary", where), {
      memo: "used",
      beneficiary: lower(owner.address)
    })
    assert.deepStrictEqual(await history.row("addToBalanceEvents", "amount memo returnedFees", where), {
      amount: String(ETHER),
      memo: "more",
      returnedFees: "0"
    })
    const id = Number(projectId)
    assert.sameDeepMembers(
      [
        ...(await history.rows(
          "payEvents",
          "amount feeFromProject distributionFromProjectId",
          `{projectId: 1, OR: [{feeFromProject: ${id}}, {distributionFromProjectId: ${id}}]}`
        ))
      ],
      [
        { amount: String(ETHER / 2n), feeFromProject: null, distributionFromProjectId: id },
        { amount: halfFee, feeFromProject: id, distributionFromProjectId: null },
        { amount: fee, feeFromProject: id, distributionFromProjectId: null }
      ]
    )
    assert.deepStrictEqual(
      (await history.rows("projectMoments", "balance", where)).map(({ balance }) => balance),
      [0n, 4n, 3n, 2n, 3n].map(ethers => String(ethers * ETHER))
    )
  })

  it("shows tokens that are minted, reserved, deployed, claimed, moved and burned", async () => {
    const reserved = [splitOf({ percent: 250_000_000, beneficiary: beneficiary.address })]
    const projectId = await launch(sandbox, [
      rulesetOf(
        { splitGroups: [{ groupId: 1n, splits: reserved }] },
        { reservedPercent: 5000, allowOwnerMinting: true }
      )
    ])
    const controller = (data: `0x${string}`, account = owner) => history.act("JBController", data, account)
    await controller(
      encodeFunctionData({
        abi,
        functionName: "mintTokensOf",
        args: [projectId, tokens(100), holder.address, "by hand", true]
      })
    )
    await controller(
      encodeFunctionData({ abi, functionName: "sendReservedTokensToSplitsOf", args: [projectId] })
    )
    const moved = [holder.address, projectId, stranger.address, tokens(10)] as const
    await controller(encodeFunctionData({ abi, functionName: "transferCreditsFrom", args: moved }), holder)
    const named = [projectId, "Other", "OTHER", zeroHash] as const
    await controller(encodeFunctionData({ abi, functionName: "deployERC20For", args: named }))
    const claimed = [holder.address, projectId, tokens(20), holder.address] as const
    await controller(encodeFunctionData({ abi, functionName: "claimTokensFor", args: claimed }), holder)
    const token = await sandbox.client.readContract({
      ...sandbox.contract("JBTokens"),
      functionName: "tokenOf",
      args: [projectId]
    })
    const sent = [stranger.address, tokens(5)] as const
    await history.act(token, encodeFunctionData({ abi, functionName: "transfer", args: sent }), holder)
    const burned = [holder.address, projectId, tokens(25), ""] as const
    await controller(encodeFunctionData({ abi, functionName: "burnTokensOf", args: burned }), holder)
    const where = projectOf(projectId)
    const minted = "tokenCount beneficiaryTokenCount memo reservedPercent"
    const mint = await history.row("manualMintTokensEvents", minted, where)
    assert.deepStrictEqual(mint, {
      tokenCount: String(tokens(100)),
      beneficiaryTokenCount: String(tokens(50)),
      memo: "by hand",
      reservedPercent: "5000"
    })
    assert.deepStrictEqual(
      await history.row("sendReservedTokensToSplitEvents", "tokenCount beneficiary groupId", where),
      { tokenCount: String(tokens(12.5)), beneficiary: lower(beneficiary.address), groupId: "1" }
    )
    assert.deepStrictEqual(
      await history.row("sendReservedTokensToSplitsEvents", "tokenCount leftoverAmount", where),
      { tokenCount: String(tokens(50)), leftoverAmount: String(tokens(37.5)) }
    )
    const burn = await history.row("manualBurnEvents", "amount creditAmount erc20Amount", where)
    assert.deepStrictEqual(burn, {
      amount: String(tokens(25)),
      creditAmount: String(tokens(20)),
      erc20Amount: String(tokens(5))
    })
    const balances = await history.rows("participants", "address creditBalance erc20Balance", where)
    assert.sameDeepMembers(
      balances.filter(({ creditBalance, erc20Balance }) => `${creditBalance}${erc20Balance}` !== "00"),
      [
        { address: lower(holder.address), creditBalance: "0", erc20Balance: String(tokens(10)) },
        {
          address: lower(stranger.address),
          creditBalance: String(tokens(10)),
          erc20Balance: String(tokens(5))
        },
        { address: lower(beneficiary.address), creditBalance: String(tokens(12.5)), erc20Balance: "0" },
        { address: lower(owner.address), creditBalance: String(tokens(37.5)), erc20Balance: "0" }
      ]
    )
    assert.deepStrictEqual(await history.row("projects", "tokenSupply reservedTokenSupply", where), {
      tokenSupply: String(tokens(75)),
      reservedTokenSupply: "0"
    })
  })
})
