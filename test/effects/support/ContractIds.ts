/** Contracts of the pinned catalog by the names that effects are told of. */
const core = (name: string) => `@bananapus/core-v6:src/${name}.sol:${name}`

export const TERMINAL = core("JBMultiTerminal")
export const CONTROLLER = core("JBController")
export const PERMISSIONS = core("JBPermissions")
export const PROJECTS = core("JBProjects")
export const RULESETS = core("JBRulesets")
export const TOKEN = core("JBERC20")
export const BUYBACK = "@bananapus/buyback-hook-v6:src/JBBuybackHook.sol:JBBuybackHook"
export const BUYBACK_REGISTRY =
  "@bananapus/buyback-hook-v6:src/JBBuybackHookRegistry.sol:JBBuybackHookRegistry"
export const ROUTER = "@bananapus/router-terminal-v6:src/JBRouterTerminal.sol:JBRouterTerminal"
export const ROUTER_REGISTRY =
  "@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry"
export const LOANS = "@rev-net/core-v6:src/REVLoans.sol:REVLoans"
export const REVNET_DEPLOYER = "@rev-net/core-v6:src/REVDeployer.sol:REVDeployer"
export const REVNET_OWNER = "@rev-net/core-v6:src/REVOwner.sol:REVOwner"
export const SUCKER_REGISTRY = "@bananapus/suckers-v6:src/JBSuckerRegistry.sol:JBSuckerRegistry"
export const HOOK_DEPLOYER = "@bananapus/721-hook-v6:src/JB721TiersHookDeployer.sol:JB721TiersHookDeployer"
export const SHOP_DEPLOYER =
  "@bananapus/721-hook-v6:src/JB721TiersHookProjectDeployer.sol:JB721TiersHookProjectDeployer"
export const TIERS_HOOK = "@bananapus/721-hook-v6:src/JB721TiersHook.sol:JB721TiersHook"
export const SUCKER = "@bananapus/suckers-v6:src/JBOptimismSucker.sol:JBOptimismSucker"
export const FORWARDER = "@openzeppelin/contracts:metatx/ERC2771Forwarder.sol:ERC2771Forwarder"
export { PREPAID_PAYMENTS, SESSION_GUARD, WALLET_ADAPTER } from "../../../src/catalog/ExecutionContracts.ts"
