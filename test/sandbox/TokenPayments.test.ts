import { type Address, parseEther, parseEventLogs } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { abi } from "./support/abi.ts"
import { launch, rulesetOf, splitOf } from "./support/Launch.ts"
import { holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

const DEMO = 2n
const FEE_PROJECT = 1n
const RESERVED_GROUP = 1n

describe("payments in the demo project's ERC-20 token", () => {
  let sandbox: Sandbox
  let token: Address

  beforeAll(async () => {
    sandbox = await startSandbox()
    token = sandbox.manifest.seeded.token
  })
  afterAll(() => sandbox.stop())

  const tokensOf = (account: Address, projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTokens"),
      functionName: "totalBalanceOf",
      args: [account, projectId]
    })

  const balanceOf = (projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTerminalStore"),
      functionName: "balanceOf",
      args: [sandbox.at("JBMultiTerminal"), projectId, token]
    })

  const accepting = (cashOutTaxRate: number) => {
    const baseCurrency = Number(BigInt(token) & 0xffffffffn)
    return launch(sandbox, [rulesetOf({}, { baseCurrency, cashOutTaxRate })], token)
  }

  const pay = async (projectId: bigint, amount: bigint) => {
    const terminal = sandbox.contract("JBMultiTerminal")
    await sandbox.mined(
      sandbox.client.writeContract({
        address: token,
        abi,
        account: holder,
        functionName: "approve",
        args: [terminal.address, amount]
      })
    )
    return sandbox.mined(
      sandbox.client.writeContract({
        ...terminal,
        account: holder,
        functionName: "pay",
        args: [projectId, token, amount, holder.address, 0n, "", "0x"]
      })
    )
  }

  it("are pulled by the allowance and kept in the token's own books", async () => {
    const projectId = await accepting(0)
    const before = await tokensOf(holder.address, DEMO)
    await pay(projectId, parseEther("5"))
    assert.equal(await tokensOf(holder.address, projectId), parseEther("5000"))
    assert.equal(await tokensOf(holder.address, DEMO), before - parseEther("5"))
    assert.equal(await balanceOf(projectId), parseEther("5"))
  })

  it("leave a fee with the project where project 1 does not take the token", async () => {
    const projectId = await accepting(1)
    await pay(projectId, parseEther("4"))
    const receipt = await sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account: holder,
        functionName: "cashOutTokensOf",
        args: [holder.address, projectId, parseEther("4000"), token, 0n, stranger.address, "0x"]
      })
    )
    const [reverted] = parseEventLogs({ abi, logs: receipt.logs, eventName: "FeeReverted" })
    assert.equal(reverted?.args.feeProjectId, FEE_PROJECT)
    assert.equal(await tokensOf(stranger.address, DEMO), parseEther("3.9"))
    assert.equal(await balanceOf(projectId), parseEther("0.1"))
  })

  it("can come from a reserved split", async () => {
    const target = await accepting(0)
    const splits = [splitOf({ projectId: target, beneficiary: stranger.address })]
    const controller = sandbox.contract("JBController")
    const [{ id }] = await sandbox.client.readContract({
      ...controller,
      functionName: "currentRulesetOf",
      args: [DEMO]
    })
    await sandbox.mined(
      sandbox.client.writeContract({
        ...controller,
        account: owner,
        functionName: "setSplitGroupsOf",
        args: [DEMO, BigInt(id), [{ groupId: RESERVED_GROUP, splits }]]
      })
    )
    await sandbox.mined(
      sandbox.client.writeContract({
        ...controller,
        account: owner,
        functionName: "sendReservedTokensToSplitsOf",
        args: [DEMO]
      })
    )
    assert.equal(await balanceOf(target), parseEther("2000"))
    assert.equal(await tokensOf(stranger.address, target), parseEther("2000000"))
  })
})
