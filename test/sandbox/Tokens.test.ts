import { type Address, parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launch, payNative, rulesetOf, splitOf } from "./support/Launch.ts"
import { beneficiary, holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"
import { SPLITS_TOTAL } from "./support/Units.ts"

const DEMO = 2n
const RESERVED_GROUP = 1n
const ROOT = 1
const MINT_TOKENS = 10

describe("project tokens", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  const creditsOf = (account: Address, projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTokens"),
      functionName: "creditBalanceOf",
      args: [account, projectId]
    })

  const totalOf = (account: Address, projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTokens"),
      functionName: "totalBalanceOf",
      args: [account, projectId]
    })

  const withCredits = async (metadata: Parameters<typeof rulesetOf>[1] = {}) => {
    const projectId = await launch(sandbox, [rulesetOf({}, metadata)])
    await payNative(sandbox, projectId, parseEther("1"), holder.address)
    return projectId
  }

  const controller = () => ({ ...sandbox.contract("JBController"), account: holder })

  it("are credits until the ERC-20 is deployed, and claimed afterwards", async () => {
    const projectId = await withCredits()
    await sandbox.mined(
      sandbox.client.writeContract({
        ...controller(),
        account: owner,
        functionName: "deployERC20For",
        args: [projectId, "Token", "TKN", `0x${"11".repeat(32)}`]
      })
    )
    assert.equal(await creditsOf(holder.address, projectId), parseEther("1000"))
    await sandbox.mined(
      sandbox.client.writeContract({
        ...controller(),
        functionName: "claimTokensFor",
        args: [holder.address, projectId, parseEther("400"), beneficiary.address]
      })
    )
    assert.equal(await creditsOf(holder.address, projectId), parseEther("600"))
    assert.equal(await creditsOf(beneficiary.address, projectId), 0n)
    assert.equal(await totalOf(beneficiary.address, projectId), parseEther("400"))
  })

  it("move as credits unless the ruleset pauses that", async () => {
    const transfer = (projectId: bigint) =>
      sandbox.mined(
        sandbox.client.writeContract({
          ...controller(),
          functionName: "transferCreditsFrom",
          args: [holder.address, projectId, stranger.address, parseEther("1")]
        })
      )
    const open = await withCredits()
    await transfer(open)
    assert.equal(await creditsOf(stranger.address, open), parseEther("1"))
    const paused = await withCredits({ pauseCreditTransfers: true })
    assert.match(String(await transfer(paused).catch(String)), /JBController_CreditTransfersPaused/)
  })

  it("are minted by the owner where the ruleset allows it, and burned by their holder", async () => {
    const mint = (projectId: bigint, account = owner) =>
      sandbox.mined(
        sandbox.client.writeContract({
          ...controller(),
          account,
          functionName: "mintTokensOf",
          args: [projectId, 500n, holder.address, "", true]
        })
      )
    const fixed = await launch(sandbox, [rulesetOf()])
    assert.match(String(await mint(fixed).catch(String)), /JBController_MintNotAllowedAndNotTerminalOrHook/)
    const open = await launch(sandbox, [rulesetOf({}, { allowOwnerMinting: true, reservedPercent: 2000 })])
    assert.match(String(await mint(open, stranger).catch(String)), /JBPermissioned_Unauthorized/)
    await mint(open)
    assert.equal(await creditsOf(holder.address, open), 400n)
    await sandbox.mined(
      sandbox.client.writeContract({
        ...controller(),
        functionName: "burnTokensOf",
        args: [holder.address, open, 150n, ""]
      })
    )
    assert.equal(await creditsOf(holder.address, open), 250n)
  })

  it("go from the reserve to its splits, the rest to the owner", async () => {
    const splits = [splitOf({ percent: SPLITS_TOTAL / 4, beneficiary: beneficiary.address })]
    const config = rulesetOf(
      { splitGroups: [{ groupId: RESERVED_GROUP, splits }] },
      { reservedPercent: 4000 }
    )
    const projectId = await launch(sandbox, [config])
    await payNative(sandbox, projectId, parseEther("1"), holder.address)
    await distribute(projectId)
    assert.equal(await totalOf(holder.address, projectId), parseEther("600"))
    assert.equal(await totalOf(beneficiary.address, projectId), parseEther("100"))
    assert.equal(await totalOf(owner.address, projectId), parseEther("300"))
  })

  it("go from the reserve in parts of the whole reserve, so that what rounding leaves is the owner's", async () => {
    const half = { percent: SPLITS_TOTAL / 2 }
    const splits = [beneficiary, stranger].map(({ address }) => splitOf({ ...half, beneficiary: address }))
    const config = rulesetOf(
      { weight: parseEther("1"), splitGroups: [{ groupId: RESERVED_GROUP, splits }] },
      { reservedPercent: 10_000 }
    )
    const projectId = await launch(sandbox, [config])
    await payNative(sandbox, projectId, 3n, holder.address)
    await distribute(projectId)
    const received = [beneficiary, stranger, owner].map(({ address }) => totalOf(address, projectId))
    assert.deepEqual(await Promise.all(received), [1n, 1n, 1n])
  })

  it("leave the demo project's reserve as ERC-20 tokens", async () => {
    await distribute(DEMO)
    assert.equal(await totalOf(beneficiary.address, DEMO), parseEther("1000"))
    assert.equal(await creditsOf(beneficiary.address, DEMO), 0n)
  })

  it("are under the permissions that an account grants", async () => {
    const projectId = await launch(sandbox, [rulesetOf()])
    const grant = (permissionIds: ReadonlyArray<number>, account: typeof owner, operator: Address) =>
      sandbox.mined(
        sandbox.client.writeContract({
          ...sandbox.contract("JBPermissions"),
          account,
          functionName: "setPermissionsFor",
          args: [owner.address, { operator, projectId, permissionIds }]
        })
      )
    const permitted = (operator: Address, permissionId: number, includeRoot: boolean) =>
      sandbox.client.readContract({
        ...sandbox.contract("JBPermissions"),
        functionName: "hasPermission",
        args: [operator, owner.address, projectId, BigInt(permissionId), includeRoot, true]
      })
    await grant([ROOT], owner, stranger.address)
    assert.isTrue(await permitted(stranger.address, MINT_TOKENS, true))
    assert.isFalse(await permitted(stranger.address, MINT_TOKENS, false))
    await grant([MINT_TOKENS], stranger, beneficiary.address)
    assert.isTrue(await permitted(beneficiary.address, MINT_TOKENS, false))
    const passedOn = await grant([ROOT], stranger, beneficiary.address).catch(String)
    assert.match(String(passedOn), /JBPermissions_Unauthorized/)
  })

  const distribute = (projectId: bigint) =>
    sandbox.mined(
      sandbox.client.writeContract({
        ...controller(),
        account: stranger,
        functionName: "sendReservedTokensToSplitsOf",
        args: [projectId]
      })
    )
})
