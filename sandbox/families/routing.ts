/** The registries of buyback hooks and routers with one of each, dollars, and a project that uses them all. */
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  parseUnits,
  toHex,
  zeroAddress,
  zeroHash
} from "viem"
import { addressOf, hex } from "../addresses.ts"
import JBBuybackHook from "../artifacts/JBBuybackHook.json" with { type: "json" }
import JBBuybackHookRegistry from "../artifacts/JBBuybackHookRegistry.json" with { type: "json" }
import JBRouterTerminal from "../artifacts/JBRouterTerminal.json" with { type: "json" }
import JBRouterTerminalRegistry from "../artifacts/JBRouterTerminalRegistry.json" with { type: "json" }
import SandboxPools from "../artifacts/SandboxPools.json" with { type: "json" }
import SandboxUSD from "../artifacts/SandboxUSD.json" with { type: "json" }
import {
  call,
  ETH_CURRENCY,
  metadata,
  NATIVE_CURRENCY,
  NATIVE_TOKEN,
  nativeTerminal,
  ruleset,
  type SandboxAccounts,
  type SandboxCall
} from "../calls.ts"
import type { Deployed } from "../contracts.ts"
import { protocolAbi } from "../protocolAbi.ts"

export const ROUTED_PROJECT_ID = 6n

const byDeployer = (deployer: Address) => ({ deployer })

export const routingContracts: ReadonlyArray<Deployed> = [
  {
    artifact: JBBuybackHook,
    contractId: "@bananapus/buyback-hook-v6:src/JBBuybackHook.sol:JBBuybackHook",
    arguments: byDeployer
  },
  {
    artifact: JBBuybackHookRegistry,
    contractId: "@bananapus/buyback-hook-v6:src/JBBuybackHookRegistry.sol:JBBuybackHookRegistry"
  },
  {
    artifact: JBRouterTerminal,
    contractId: "@bananapus/router-terminal-v6:src/JBRouterTerminal.sol:JBRouterTerminal",
    arguments: byDeployer
  },
  {
    artifact: JBRouterTerminalRegistry,
    contractId: "@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry"
  }
]

/** On every local chain from its first block; it creates what follows 32 bytes of salt, wherever that is sent from. */
const CREATE2_DEPLOYER: Address = "0x4e59b44847b379578588920ca78fbf26c0b4956c"

const createdFrom = (creationCode: Hex): Address =>
  getCreate2Address({ from: CREATE2_DEPLOYER, salt: zeroHash, bytecode: creationCode })

const creation = (creationCode: Hex): SandboxCall =>
  call(CREATE2_DEPLOYER, concatHex([zeroHash, creationCode]))

const USD_DECIMALS = 6

/** The holder has the first million of them. */
const usdCode = ({ holder }: Pick<SandboxAccounts, "holder">): Hex =>
  concatHex([
    hex(SandboxUSD.bytecode),
    encodeAbiParameters(
      [{ type: "address" }, { type: "uint256" }],
      [holder, parseUnits("1000000", USD_DECIMALS)]
    )
  ])

const POOLS_CODE = hex(SandboxPools.bytecode)

export const sandboxUsdOf = (accounts: Pick<SandboxAccounts, "holder">): Address =>
  createdFrom(usdCode(accounts))

export const SANDBOX_POOLS: Address = createdFrom(POOLS_CODE)

const routingAbi = parseAbi([
  "function setChainSpecificConstants(address newPoolManager, address newOracleHook)",
  "function setChainSpecificConstants(address newWrappedNativeToken, address newFactory, address newPoolManager, address newUniv4Hook)",
  "function setDefaultHook(address hook)",
  "function setDefaultTerminal(address terminal)",
  "function setPoolFor(uint256 projectId, uint24 fee, int24 tickSpacing, uint256 twapWindow, address terminalToken)",
  "function setPrimaryTerminalOf(uint256 projectId, address token, address terminal)",
  "function makePool(address currency0, address currency1, uint24 fee, int24 tickSpacing)"
])

/** The pools of the routed project's token: the one with dollars is chosen, the one with ether only exists. */
export const POOL_FEE = 10_000
export const POOL_TICK_SPACING = 200
const TWAP_WINDOW_SECONDS = 1_800n

/** Routers ask for pools of the wrapped token; nothing is there. */
const WRAPPED_NATIVE_TOKEN: Address = "0x4200000000000000000000000000000000000006"

const TOKEN_SALT = toHex("routed", { size: 32 })

/** Its proxy is created with a salt, so that where it stands does not depend on the tokens before it. */
export const routedTokenOf = ({ owner }: Pick<SandboxAccounts, "owner">): Address => {
  const bySender = keccak256(encodePacked(["address", "bytes32"], [owner, TOKEN_SALT]))
  const salt = keccak256(encodePacked(["address", "bytes32"], [addressOf("JBController", owner), bySender]))
  const proxy = concatHex([
    "0x3d602d80600a3d3981f3363d3d373d3d3d363d73",
    addressOf("JBERC20", owner),
    "0x5af43d82803e903d91602b57fd5bf3"
  ])
  return getCreate2Address({ from: addressOf("JBTokens", owner), salt, bytecode: proxy })
}

const currencyOf = (token: Address): number => Number(BigInt(token) & 0xffff_ffffn)

const prices = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const usd = sandboxUsdOf(accounts)
  return [ETH_CURRENCY, NATIVE_CURRENCY].map(unit =>
    call(
      addressOf("JBPrices", accounts.owner),
      encodeFunctionData({
        abi: protocolAbi,
        functionName: "addPriceFeedFor",
        args: [0n, BigInt(currencyOf(usd)), BigInt(unit), usd]
      })
    )
  )
}

const defaults = ({ owner }: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const [hook, router] = [addressOf("JBBuybackHook", owner), addressOf("JBRouterTerminal", owner)]
  const configureHook = encodeFunctionData({
    abi: routingAbi,
    functionName: "setChainSpecificConstants",
    args: [SANDBOX_POOLS, SANDBOX_POOLS]
  })
  const configureRouter = encodeFunctionData({
    abi: routingAbi,
    functionName: "setChainSpecificConstants",
    args: [WRAPPED_NATIVE_TOKEN, zeroAddress, SANDBOX_POOLS, SANDBOX_POOLS]
  })
  return [
    call(hook, configureHook),
    call(
      addressOf("JBBuybackHookRegistry", owner),
      encodeFunctionData({ abi: routingAbi, functionName: "setDefaultHook", args: [hook] })
    ),
    call(router, configureRouter),
    call(
      addressOf("JBRouterTerminalRegistry", owner),
      encodeFunctionData({ abi: routingAbi, functionName: "setDefaultTerminal", args: [router] })
    )
  ]
}

const launch = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const { owner } = accounts
  const controller = addressOf("JBController", owner)
  const routers = addressOf("JBRouterTerminalRegistry", owner)
  const usd = sandboxUsdOf(accounts)
  const { terminal, accountingContextsToAccept } = nativeTerminal(addressOf("JBMultiTerminal", owner))
  const dollars = { token: usd, decimals: USD_DECIMALS, currency: currencyOf(usd) }
  const terminals = [
    { terminal, accountingContextsToAccept: [...accountingContextsToAccept, dollars] },
    { terminal: routers, accountingContextsToAccept: [] }
  ]
  const hooked = {
    ...metadata,
    useDataHookForPay: true,
    useDataHookForCashOut: true,
    dataHook: addressOf("JBBuybackHookRegistry", owner)
  }
  return [
    call(
      controller,
      encodeFunctionData({
        abi: protocolAbi,
        functionName: "launchProjectFor",
        args: [owner, "", [{ ...ruleset, metadata: hooked }], terminals, "Routes its payments"]
      })
    ),
    call(
      controller,
      encodeFunctionData({
        abi: protocolAbi,
        functionName: "deployERC20For",
        args: [ROUTED_PROJECT_ID, "Routed Token", "ROUTED", TOKEN_SALT]
      })
    ),
    call(
      addressOf("JBDirectory", owner),
      encodeFunctionData({
        abi: routingAbi,
        functionName: "setPrimaryTerminalOf",
        args: [ROUTED_PROJECT_ID, NATIVE_TOKEN, routers]
      })
    )
  ]
}

const pools = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const [token, usd] = [routedTokenOf(accounts), sandboxUsdOf(accounts)]
  const made = [zeroAddress, usd].map(other => {
    const [currency0, currency1] = BigInt(other) < BigInt(token) ? [other, token] : [token, other]
    const data = encodeFunctionData({
      abi: routingAbi,
      functionName: "makePool",
      args: [currency0, currency1, POOL_FEE, POOL_TICK_SPACING]
    })
    return call(SANDBOX_POOLS, data)
  })
  const choose = encodeFunctionData({
    abi: routingAbi,
    functionName: "setPoolFor",
    args: [ROUTED_PROJECT_ID, POOL_FEE, POOL_TICK_SPACING, TWAP_WINDOW_SECONDS, usd]
  })
  return [...made, call(addressOf("JBBuybackHook", accounts.owner), choose)]
}

export const routingSeed = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => [
  creation(usdCode(accounts)),
  creation(POOLS_CODE),
  ...prices(accounts),
  ...defaults(accounts),
  ...launch(accounts),
  ...pools(accounts)
]
