import { type Address, parseAbi, parseEther, parseEventLogs } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { REVNET_ID } from "../../sandbox/families/revnets.ts"
import { payNative } from "./support/Launch.ts"
import { holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

const abi = parseAbi([
  "function hashedEncodedConfigurationOf(uint256 revnetId) view returns (bytes32)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function isOperatorOf(uint256 revnetId, address addr) view returns (bool)",
  "function setOperatorOf(uint256 revnetId, address newOperator)",
  "function cashOutDelayOf(uint256 revnetId) view returns (uint256)",
  "function hasPermission(address operator, address account, uint256 projectId, uint256 permissionId, bool includeRoot, bool includeWildcardProjectId) view returns (bool)",
  "function amountToAutoIssue(uint256 revnetId, uint256 stageId, address beneficiary) view returns (uint256)",
  "function autoIssueFor(uint256 revnetId, uint256 stageId, address beneficiary)",
  "function latestRulesetIdOf(uint256 projectId) view returns (uint256)",
  "function totalBalanceOf(address holder, uint256 projectId) view returns (uint256)",
  "event AutoIssue(uint256 indexed revnetId, uint256 indexed stageId, address indexed beneficiary, uint256 count, address caller)",
  "event CashOutTokens(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address holder, address beneficiary, uint256 cashOutCount, uint256 cashOutTaxRate, uint256 reclaimAmount, bytes metadata, address caller)",
  "event Pay(uint256 indexed rulesetId, uint256 indexed rulesetCycleNumber, uint256 indexed projectId, address payer, address beneficiary, uint256 amount, uint256 newlyIssuedTokenCount, string memo, bytes metadata, address caller)"
])

const SET_SPLIT_GROUPS = 19n
const FEE_REVNET_ID = 1n

describe("the seeded revnet", () => {
  let sandbox: Sandbox
  let stageId: bigint

  beforeAll(async () => {
    sandbox = await startSandbox()
    const { client } = sandbox
    const latest = await client.readContract({
      address: sandbox.at("JBRulesets"),
      abi,
      functionName: "latestRulesetIdOf",
      args: [REVNET_ID]
    })
    stageId = latest - 1n
  })
  afterAll(() => sandbox.stop())

  const tokensOf = (account: Address, projectId = REVNET_ID) =>
    sandbox.client.readContract({
      address: sandbox.at("JBTokens"),
      abi,
      functionName: "totalBalanceOf",
      args: [account, projectId]
    })

  const promised = (stage: bigint) =>
    sandbox.client.readContract({
      address: sandbox.at("REVOwner"),
      abi,
      functionName: "amountToAutoIssue",
      args: [REVNET_ID, stage, holder.address]
    })

  const mayForRevnet = (operator: Address) =>
    sandbox.client.readContract({
      address: sandbox.at("JBPermissions"),
      abi,
      functionName: "hasPermission",
      args: [operator, sandbox.at("REVOwner"), REVNET_ID, SET_SPLIT_GROUPS, false, false]
    })

  const autoIssue = (stage: bigint) =>
    sandbox.mined(
      sandbox.client.writeContract({
        address: sandbox.at("REVOwner"),
        abi,
        account: stranger,
        functionName: "autoIssueFor",
        args: [REVNET_ID, stage, holder.address]
      })
    )

  it("belongs to REVOwner, has a configuration and starts without a delay of cash-outs", async () => {
    const { client } = sandbox
    const revnetOwner = await client.readContract({
      address: sandbox.at("JBProjects"),
      abi,
      functionName: "ownerOf",
      args: [REVNET_ID]
    })
    assert.equal(revnetOwner.toLowerCase(), sandbox.at("REVOwner"))
    const hash = await client.readContract({
      address: sandbox.at("REVDeployer"),
      abi,
      functionName: "hashedEncodedConfigurationOf",
      args: [REVNET_ID]
    })
    assert.notEqual(BigInt(hash), 0n)
    const delay = await client.readContract({
      address: sandbox.at("REVOwner"),
      abi,
      functionName: "cashOutDelayOf",
      args: [REVNET_ID]
    })
    assert.equal(delay, 0n)
  })

  it("issues what its started stage promised, once", async () => {
    assert.equal(await promised(stageId), parseEther("500"))
    const before = await tokensOf(holder.address)
    const { logs } = await autoIssue(stageId)
    const [issued] = parseEventLogs({ abi, logs, eventName: "AutoIssue" })
    assert.deepEqual(issued?.args, {
      revnetId: REVNET_ID,
      stageId,
      beneficiary: holder.address,
      count: parseEther("500"),
      caller: stranger.address
    })
    assert.equal((await tokensOf(holder.address)) - before, parseEther("500"))
    assert.equal(await promised(stageId), 0n)
    assert.match(String(await autoIssue(stageId).catch(String)), /revert/)
  })

  it("does not issue what a later stage promised", async () => {
    assert.equal(await promised(stageId + 1n), parseEther("100"))
    assert.match(String(await autoIssue(stageId + 1n).catch(String)), /revert/)
    assert.equal(await promised(stageId + 1n), parseEther("100"))
  })

  it("issues tokens for a payment, and pays the fee revnet when they are cashed out", async () => {
    const before = await tokensOf(stranger.address)
    await payNative(sandbox, REVNET_ID, parseEther("1"), stranger.address)
    const bought = (await tokensOf(stranger.address)) - before
    assert.equal(bought, parseEther("900"))
    const { logs } = await sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account: stranger,
        functionName: "cashOutTokensOf",
        args: [stranger.address, REVNET_ID, bought, NATIVE_TOKEN, 0n, stranger.address, "0x"]
      })
    )
    const [cashedOut] = parseEventLogs({ abi, logs, eventName: "CashOutTokens" })
    const fees = parseEventLogs({ abi, logs, eventName: "Pay" }).filter(
      ({ args }) => args.projectId === FEE_REVNET_ID
    )
    assert.equal(cashedOut?.args.cashOutCount, bought)
    assert.isTrue((cashedOut?.args.reclaimAmount ?? 0n) > 0n)
    assert.isTrue(fees.some(({ args }) => args.payer.toLowerCase() === sandbox.at("REVOwner")))
  })

  it("lets its operator name another one, who then has the operator's permissions alone", async () => {
    assert.isTrue(await mayForRevnet(owner.address))
    await sandbox.mined(
      sandbox.client.writeContract({
        address: sandbox.at("REVOwner"),
        abi,
        account: owner,
        functionName: "setOperatorOf",
        args: [REVNET_ID, stranger.address]
      })
    )
    assert.isFalse(await mayForRevnet(owner.address))
    assert.isTrue(await mayForRevnet(stranger.address))
    const isOperator = await sandbox.client.readContract({
      address: sandbox.at("REVOwner"),
      abi,
      functionName: "isOperatorOf",
      args: [REVNET_ID, stranger.address]
    })
    assert.isTrue(isOperator)
  })
})
