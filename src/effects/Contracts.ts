/** The catalog's ids of the contracts whose calls or events are verified. */
const CORE = "@bananapus/core-v6:src"

export const CONTROLLER = `${CORE}/JBController.sol:JBController` as const
export const MULTI_TERMINAL = `${CORE}/JBMultiTerminal.sol:JBMultiTerminal` as const
export const PERMISSIONS = `${CORE}/JBPermissions.sol:JBPermissions` as const
export const PROJECTS = `${CORE}/JBProjects.sol:JBProjects` as const
export const RULESETS = `${CORE}/JBRulesets.sol:JBRulesets` as const
export const PROJECT_TOKEN = `${CORE}/JBERC20.sol:JBERC20` as const
export const BUYBACK_HOOK = "@bananapus/buyback-hook-v6:src/JBBuybackHook.sol:JBBuybackHook"
export const BUYBACK_REGISTRY =
  "@bananapus/buyback-hook-v6:src/JBBuybackHookRegistry.sol:JBBuybackHookRegistry"
export const ROUTER = "@bananapus/router-terminal-v6:src/JBRouterTerminal.sol:JBRouterTerminal"
/** Of no pinned package. */
export const GATEWAY = "JBRouterTerminalGateway"
export const ROUTER_REGISTRY =
  "@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry"
export const FORWARDER = "@openzeppelin/contracts:metatx/ERC2771Forwarder.sol:ERC2771Forwarder"
export const LOANS = "@rev-net/core-v6:src/REVLoans.sol:REVLoans"
export const REVNET_DEPLOYER = "@rev-net/core-v6:src/REVDeployer.sol:REVDeployer"
export const REVNET_OWNER = "@rev-net/core-v6:src/REVOwner.sol:REVOwner"
export const SUCKER_REGISTRY = "@bananapus/suckers-v6:src/JBSuckerRegistry.sol:JBSuckerRegistry"
export const HOOK_DEPLOYER = "@bananapus/721-hook-v6:src/JB721TiersHookDeployer.sol:JB721TiersHookDeployer"
export const SHOP_DEPLOYER =
  "@bananapus/721-hook-v6:src/JB721TiersHookProjectDeployer.sol:JB721TiersHookProjectDeployer"
const suckers = "@bananapus/suckers-v6:src"
export const SUCKER = `${suckers}/JBOptimismSucker.sol:JBOptimismSucker` as const
/** The other transports, and what stands for a sucker that no recorded deployer made. */
export const SUCKERS = [
  `${suckers}/JBBaseSucker.sol:JBBaseSucker`,
  `${suckers}/JBArbitrumSucker.sol:JBArbitrumSucker`,
  `${suckers}/JBCCIPSucker.sol:JBCCIPSucker`,
  `${suckers}/JBSucker.sol:JBSucker`
] as const
