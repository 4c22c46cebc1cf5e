import { type Address, parseEther, parseEventLogs, zeroAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { abi } from "./support/abi.ts"
import { launch, nativeLimits, payNative, rulesetOf, splitOf } from "./support/Launch.ts"
import { beneficiary, holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"
import { DAY_SECONDS, NATIVE_CURRENCY, SPLITS_TOTAL } from "./support/Units.ts"

const ETHER = parseEther("1")
const HELD_SECONDS = 28 * DAY_SECONDS

const less = (amount: bigint) => amount - amount / 40n

describe("payouts and allowances", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  const wealth = (address: Address) => sandbox.client.getBalance({ address })

  const balanceOf = (projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTerminalStore"),
      functionName: "balanceOf",
      args: [sandbox.at("JBMultiTerminal"), projectId, NATIVE_TOKEN]
    })

  const sendPayouts = (projectId: bigint, amount: bigint, account = stranger) =>
    sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account,
        functionName: "sendPayoutsOf",
        args: [projectId, NATIVE_TOKEN, amount, BigInt(NATIVE_CURRENCY), 0n]
      })
    )

  const payoutOf = async (act: Promise<{ readonly logs: Parameters<typeof parseEventLogs>[0]["logs"] }>) =>
    parseEventLogs({ abi, logs: (await act).logs, eventName: "SendPayouts" })[0]?.args

  const funded = async (
    splits: ReadonlyArray<ReturnType<typeof splitOf>>,
    metadata: Parameters<typeof rulesetOf>[1] = {},
    duration = 0
  ) => {
    const projectId = await launch(sandbox, [
      rulesetOf(
        {
          duration,
          splitGroups: [{ groupId: BigInt(NATIVE_TOKEN), splits }],
          fundAccessLimitGroups: [nativeLimits(sandbox, 4n * ETHER, 2n * ETHER)]
        },
        metadata
      )
    ])
    await payNative(sandbox, projectId, 10n * ETHER, holder.address)
    return projectId
  }

  it("pays wallets and projects, the leftover to the owner, and one fee for what leaves", async () => {
    const target = await launch(sandbox, [rulesetOf()])
    const projectId = await funded([
      splitOf({ percent: SPLITS_TOTAL / 2, beneficiary: beneficiary.address }),
      splitOf({ percent: SPLITS_TOTAL / 4, projectId: target, beneficiary: beneficiary.address })
    ])
    const [wallet, ownerBefore, fees] = await Promise.all([
      wealth(beneficiary.address),
      wealth(owner.address),
      balanceOf(1n)
    ])
    const payout = await payoutOf(sendPayouts(projectId, 4n * ETHER))
    assert.equal((await wealth(beneficiary.address)) - wallet, less(2n * ETHER))
    assert.equal((await wealth(owner.address)) - ownerBefore, less(ETHER))
    assert.equal(await balanceOf(target), ETHER)
    assert.equal((await balanceOf(1n)) - fees, (3n * ETHER) / 40n)
    assert.equal(await balanceOf(projectId), 6n * ETHER)
    assert.equal(payout?.fee, (3n * ETHER) / 40n)
    assert.equal(payout?.amountPaidOut, 4n * ETHER)
    assert.equal(payout?.netLeftoverPayoutAmount, less(ETHER))
  })

  it("pays no more than the cycle's limit, and the full limit again in the next cycle", async () => {
    const projectId = await funded([splitOf({ beneficiary: beneficiary.address })], {}, DAY_SECONDS)
    assert.equal((await payoutOf(sendPayouts(projectId, 3n * ETHER)))?.amountPaidOut, 3n * ETHER)
    assert.equal((await payoutOf(sendPayouts(projectId, 3n * ETHER)))?.amountPaidOut, ETHER)
    assert.isUndefined(await payoutOf(sendPayouts(projectId, ETHER)))
    await sandbox.pass(DAY_SECONDS)
    assert.equal((await payoutOf(sendPayouts(projectId, 3n * ETHER)))?.amountPaidOut, 3n * ETHER)
  })

  it("keeps a split that cannot be paid with the project", async () => {
    const projectId = await funded([splitOf({ projectId: 999n, beneficiary: zeroAddress })])
    const receipt = await sendPayouts(projectId, ETHER)
    const reverted = parseEventLogs({ abi, logs: receipt.logs, eventName: "PayoutReverted" })
    assert.equal(reverted.length, 1)
    assert.equal(reverted[0]?.args.amount, ETHER)
    assert.equal(await balanceOf(projectId), 10n * ETHER)
  })

  it("lets only the owner send payouts where the ruleset says so", async () => {
    const projectId = await funded([], { ownerMustSendPayouts: true })
    assert.match(String(await sendPayouts(projectId, ETHER).catch(String)), /JBPermissioned_Unauthorized/)
    assert.equal((await payoutOf(sendPayouts(projectId, ETHER, owner)))?.amountPaidOut, ETHER)
  })

  it("lets the owner use the surplus allowance less the fee, once a ruleset", async () => {
    const projectId = await funded([])
    const use = (amount: bigint) =>
      sandbox.mined(
        sandbox.client.writeContract({
          ...sandbox.contract("JBMultiTerminal"),
          account: owner,
          functionName: "useAllowanceOf",
          args: [
            projectId,
            NATIVE_TOKEN,
            amount,
            BigInt(NATIVE_CURRENCY),
            0n,
            beneficiary.address,
            owner.address,
            ""
          ]
        })
      )
    const [wallet, fees] = await Promise.all([wealth(beneficiary.address), balanceOf(1n)])
    await use(ETHER)
    assert.equal((await wealth(beneficiary.address)) - wallet, less(ETHER))
    assert.equal((await balanceOf(1n)) - fees, ETHER / 40n)
    assert.match(String(await use(ETHER + 1n).catch(String)), /InadequateControllerAllowance/)
  })

  it("holds fees for 28 days, and returns them for funds that come back", async () => {
    const projectId = await funded([splitOf({ beneficiary: beneficiary.address })], { holdFees: true })
    const held = () =>
      sandbox.client.readContract({
        ...sandbox.contract("JBMultiTerminal"),
        functionName: "heldFeesOf",
        args: [projectId, NATIVE_TOKEN, 10n]
      })
    const process = () =>
      sandbox.mined(
        sandbox.client.writeContract({
          ...sandbox.contract("JBMultiTerminal"),
          account: stranger,
          functionName: "processHeldFeesOf",
          args: [projectId, NATIVE_TOKEN, 10n]
        })
      )
    await sendPayouts(projectId, ETHER)
    await sendPayouts(projectId, ETHER)
    assert.deepEqual(
      (await held()).map(({ amount }) => amount),
      [ETHER, ETHER]
    )
    await sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account: beneficiary,
        functionName: "addToBalanceOf",
        args: [projectId, NATIVE_TOKEN, 0n, true, "", "0x"],
        value: less(ETHER)
      })
    )
    assert.equal(await balanceOf(projectId), 9n * ETHER)
    assert.equal((await held()).length, 1)
    const fees = await balanceOf(1n)
    await process()
    assert.equal(await balanceOf(1n), fees)
    await sandbox.pass(HELD_SECONDS)
    await process()
    assert.equal((await balanceOf(1n)) - fees, ETHER / 40n)
    assert.equal((await held()).length, 0)
  })
})
