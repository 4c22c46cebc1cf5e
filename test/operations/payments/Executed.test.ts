import { createTestClient, type Hex, http, parseEventLogs, publicActions, walletActions } from "viem"
import { foundry } from "viem/chains"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { developmentAccount } from "../../../sandbox/DevelopmentAccounts.ts"
import { abi } from "../../sandbox/support/abi.ts"
import { type OperationBench, startOperationBench } from "../../support/Operations.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { rulesetConfiguration } from "../support/SandboxInputs.ts"

const owner = developmentAccount(0)
const holder = developmentAccount(1)
const project = { chainId: 31337, projectId: "2", version: 6 as const }
const PROJECT = 2n
const ETHER = 10n ** 18n
const NATIVE_CURRENCY = 61_166

const flags = { ...rulesetConfiguration.metadata, reservedPercent: 0 }

const queued = {
  mustStartAtOrAfter: 0,
  duration: 86_400,
  weight: 1n,
  weightCutPercent: 0,
  approvalHook: "0x0000000000000000000000000000000000000000",
  metadata: flags,
  splitGroups: [],
  fundAccessLimitGroups: []
} as const

describe("what was quoted on the local chain", () => {
  let bench: OperationBench

  beforeAll(async () => {
    bench = await startOperationBench()
  })
  afterAll(() => bench.stop())

  const connect = () =>
    createTestClient({ mode: "anvil", chain: foundry, transport: http(bench.chain.url), cacheTime: 0 })
      .extend(publicActions)
      .extend(walletActions)

  const at = (name: string) => {
    const found = bench.manifest.deployments.find(({ alias }) => alias === name)
    return { address: found?.address ?? assert.fail(`no ${name}`), abi }
  }

  const mined = async (sent: Promise<Hex>) => {
    const [client, hash] = [connect(), await sent]
    await client.mine({ blocks: 1 })
    return client.getTransactionReceipt({ hash })
  }

  it("is issued by the payment", async () => {
    const asked = {
      project,
      account: holder.address,
      beneficiary: holder.address,
      token: NATIVE_TOKEN
    } as const
    const quote = await bench.answer("quote_pay", { ...asked, amount: String(3n * ETHER) })
    const { logs } = await mined(
      connect().writeContract({
        ...at("JBMultiTerminal"),
        account: holder,
        functionName: "pay",
        args: [
          PROJECT,
          NATIVE_TOKEN,
          3n * ETHER,
          holder.address,
          BigInt(quote.minimumBeneficiaryTokenCount),
          "",
          "0x"
        ],
        value: 3n * ETHER
      })
    )
    const [paid] = parseEventLogs({ abi, logs, eventName: "Pay" })
    assert.strictEqual(String(paid?.args.newlyIssuedTokenCount), quote.beneficiaryTokenCount)
  })

  it("is returned by the cash out, after the fee", async () => {
    const count = 500n * ETHER
    const quote = await bench.answer("quote_cash_out", {
      project,
      holder: holder.address,
      beneficiary: "0x00000000000000000000000000000000000000AA",
      tokenToReclaim: NATIVE_TOKEN,
      cashOutCount: String(count)
    })
    await mined(
      connect().writeContract({
        ...at("JBMultiTerminal"),
        account: holder,
        functionName: "cashOutTokensOf",
        args: [
          holder.address,
          PROJECT,
          count,
          NATIVE_TOKEN,
          BigInt(quote.terminalMinimum),
          quote.beneficiary,
          quote.metadata
        ]
      })
    )
    const received = await connect().getBalance({ address: quote.beneficiary })
    assert.strictEqual(String(received), quote.expectedReturn)
  })

  it("is paid out and divided, each part after the fee that it owes", async () => {
    const quote = await bench.answer("quote_payout", {
      project,
      account: owner.address,
      token: NATIVE_TOKEN,
      amount: String(ETHER + 7n),
      currency: NATIVE_CURRENCY
    })
    const { logs } = await mined(
      connect().writeContract({
        ...at("JBMultiTerminal"),
        account: owner,
        functionName: "sendPayoutsOf",
        args: [PROJECT, NATIVE_TOKEN, ETHER + 7n, BigInt(NATIVE_CURRENCY), BigInt(quote.minimumTokensPaidOut)]
      })
    )
    const [sent] = parseEventLogs({ abi, logs, eventName: "SendPayouts" })
    assert.strictEqual(String(sent?.args.amountPaidOut), quote.amountPaidOut)
    if (quote.distribution.status === "unknown") return assert.fail("unknown splits")
    const { owner: leftover, splits, fee } = quote.distribution.value
    assert.deepStrictEqual(
      [leftover.netAfterFee, fee],
      [String(sent?.args.netLeftoverPayoutAmount), String(sent?.args.fee)]
    )
    const rows = parseEventLogs({ abi, logs, eventName: "SendPayoutToSplit" }).map(({ args }) => args)
    assert.deepStrictEqual(
      splits.map(({ amount, netAfterFee }) => [amount, netAfterFee]),
      rows.map(({ amount, netAmount }) => [String(amount), String(netAmount)])
    )
    assert.isTrue(splits.some(({ amount, netAfterFee }) => amount === netAfterFee))
  })

  it("is refused where the limit leaves nothing, or the tokens are not there", async () => {
    const asked = { project, account: owner.address, token: NATIVE_TOKEN, currency: 77 }
    const payout = await bench.ask("quote_payout", { ...asked, amount: "1" })
    assert.deepStrictEqual([payout.status, Object(payout.body).code], [422, "NOTHING_TO_PAY_OUT"])
    const cashOut = await bench.ask("quote_cash_out", {
      project,
      holder: holder.address,
      beneficiary: holder.address,
      tokenToReclaim: NATIVE_TOKEN,
      cashOutCount: String(10n ** 30n)
    })
    assert.deepStrictEqual([cashOut.status, Object(cashOut.body).code], [422, "SIMULATION_REVERTED"])
    const { revert } = Object(cashOut.body).context
    assert.strictEqual(revert.name, "JBTerminalStore_InsufficientTokens")
  })

  it("starts and issues as the preview of a ruleset change said", async () => {
    const preview = await bench.answer("preview_ruleset_change", {
      project,
      account: owner.address,
      rulesetConfigurations: [{ ...queued, mustStartAtOrAfter: "0", weight: "1" }]
    })
    assert.deepStrictEqual(preview.permission.by, { status: "known", value: "owner" })
    const { logs } = await mined(
      connect().writeContract({
        ...at("JBController"),
        account: owner,
        functionName: "queueRulesetsOf",
        args: [PROJECT, [queued], ""]
      })
    )
    assert.isNotEmpty(logs)
    const [upcoming] = await connect().readContract({
      ...at("JBController"),
      functionName: "upcomingRulesetOf",
      args: [PROJECT]
    })
    assert.deepStrictEqual(preview.economicChanges[0]?.ifFollowingCurrent, {
      start: String(upcoming.start),
      cycleNumber: String(upcoming.cycleNumber),
      weight: String(upcoming.weight)
    })
  })
})
