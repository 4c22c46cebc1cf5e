import {
  type Address,
  encodeAbiParameters,
  type Hex,
  parseAbi,
  parseEther,
  parseEventLogs,
  toFunctionSelector
} from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { SHOP_PROJECT_ID, shopHookOf } from "../../sandbox/families/shops.ts"
import { metadataOf } from "../../src/protocol/MetadataEntry.ts"
import { minimalProxyOf } from "../../src/protocol/MinimalProxy.ts"
import { beneficiary, holder, owner, type Sandbox, startSandbox } from "./support/Sandbox.ts"

const shopAbi = parseAbi([
  "function payCreditsOf(address addr) view returns (uint256)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function balanceOf(address owner) view returns (uint256 balance)",
  "function transferFrom(address from, address to, uint256 tokenId)",
  "function deployerOf(address addr) view returns (address deployer)",
  "event Mint(uint256 indexed tokenId, uint256 indexed tierId, address indexed beneficiary, uint256 totalAmountPaid, address caller)",
  "event UsePayCredits(uint256 indexed amount, uint256 indexed newTotalCredits, address indexed account, address caller)"
])

const FIRST = 1_000_000_001n

describe("the seeded shop", () => {
  let sandbox: Sandbox
  let hook: Address

  beforeAll(async () => {
    sandbox = await startSandbox()
    hook = shopHookOf(owner.address)
  })
  afterAll(() => sandbox.stop())

  const asking = (tierIds: ReadonlyArray<number>, mayOverspend: boolean): Hex => {
    const value = encodeAbiParameters([{ type: "bool" }, { type: "uint16[]" }], [mayOverspend, tierIds])
    return metadataOf({ purpose: "pay", target: sandbox.at("JB721TiersHook") }, value)
  }

  const request = (value: bigint, metadata: Hex, to: Address) => ({
    ...sandbox.contract("JBMultiTerminal"),
    account: holder,
    functionName: "pay" as const,
    args: [SHOP_PROJECT_ID, NATIVE_TOKEN, value, to, 0n, "", metadata] as const,
    value
  })

  const buy = async (
    value: bigint,
    tierIds: ReadonlyArray<number>,
    {
      mayOverspend = false,
      to = holder.address
    }: { readonly mayOverspend?: boolean; readonly to?: Address } = {}
  ) => sandbox.mined(sandbox.client.writeContract(request(value, asking(tierIds, mayOverspend), to)))

  const refusalOf = (value: bigint, tierIds: ReadonlyArray<number>) =>
    sandbox.client
      .simulateContract(request(value, asking(tierIds, false), holder.address))
      .then(() => "", String)

  const credits = (address: Address) =>
    sandbox.client.readContract({
      address: hook,
      abi: shopAbi,
      functionName: "payCreditsOf",
      args: [address]
    })

  const ownerOf = (tokenId: bigint) =>
    sandbox.client.readContract({ address: hook, abi: shopAbi, functionName: "ownerOf", args: [tokenId] })

  it("is a clone of 44 bytes that the registry of addresses knows", async () => {
    const proxy = minimalProxyOf((await sandbox.client.getCode({ address: hook })) ?? "0x")
    assert.strictEqual(proxy?.standard, "solady")
    assert.strictEqual(proxy?.implementation.toLowerCase(), sandbox.at("JB721TiersHook"))
    const deployer = await sandbox.client.readContract({
      address: sandbox.at("JBAddressRegistry"),
      abi: shopAbi,
      functionName: "deployerOf",
      args: [hook]
    })
    assert.strictEqual(deployer.toLowerCase(), sandbox.at("JB721TiersHookDeployer"))
  })

  it("mints what is asked for and paid, and issues the project's tokens too", async () => {
    const { logs } = await buy(parseEther("1"), [1, 2])
    const minted = parseEventLogs({ abi: shopAbi, logs, eventName: "Mint" }).map(({ args }) => args)
    assert.deepStrictEqual(
      minted.map(({ tokenId, tierId }) => [tokenId, tierId]),
      [
        [FIRST, 1n],
        [2n * 1_000_000_000n + 1n, 2n]
      ]
    )
    assert.strictEqual(minted[0]?.totalAmountPaid, parseEther("1"))
    assert.strictEqual(minted[0]?.caller.toLowerCase(), sandbox.at("JBMultiTerminal"))
    assert.strictEqual(await ownerOf(FIRST), holder.address)
    const issued = await sandbox.client.readContract({
      ...sandbox.contract("JBTokens"),
      functionName: "totalBalanceOf",
      args: [holder.address, SHOP_PROJECT_ID]
    })
    assert.strictEqual(issued, parseEther("1000"))
  })

  it("keeps what is left as credits of the beneficiary, whom they serve when paying alone", async () => {
    await buy(parseEther("0.3"), [1], { mayOverspend: true })
    assert.strictEqual(await credits(holder.address), parseEther("0.2"))
    const { logs } = await buy(0n, [1], { mayOverspend: true })
    const [used] = parseEventLogs({ abi: shopAbi, logs, eventName: "UsePayCredits" })
    assert.deepInclude(used?.args, { amount: parseEther("0.1"), newTotalCredits: parseEther("0.1") })
  })

  it("refuses to be overpaid unasked, underpaid, or paid in credits for what they cannot buy", async () => {
    const refusals = [
      [parseEther("0.3"), 1, "JB721TiersHook_Overspending(uint256)"],
      [parseEther("0.7"), 2, "JB721TiersHookStore_PriceExceedsAmount(uint256,uint256)"],
      [parseEther("0.45"), 3, "JB721TiersHook_CantBuyWithCredits(uint256,uint256)"],
      [parseEther("0.5"), 9, "JB721TiersHookStore_UnrecognizedTier(uint256)"]
    ] as const
    for (const [value, tierId, error] of refusals)
      assert.include(await refusalOf(value, [tierId]), toFunctionSelector(error))
    assert.strictEqual(await refusalOf(0n, [1]), "")
  })

  it("keeps the supply of its reserves", async () => {
    for (let minted = 1; minted < 8; minted += 1)
      await buy(parseEther("0.9"), [2], { to: beneficiary.address })
    assert.include(
      await refusalOf(parseEther("0.9"), [2]),
      toFunctionSelector("JB721TiersHookStore_InsufficientSupplyRemaining(uint256)")
    )
  })

  it("follows a token to another owner", async () => {
    await sandbox.mined(
      sandbox.client.writeContract({
        address: hook,
        abi: shopAbi,
        account: holder,
        functionName: "transferFrom",
        args: [holder.address, owner.address, FIRST]
      })
    )
    const held = await sandbox.client.readContract({
      address: hook,
      abi: shopAbi,
      functionName: "balanceOf",
      args: [owner.address]
    })
    assert.deepStrictEqual([await ownerOf(FIRST), held], [owner.address, 1n])
  })
})
