/** Which factory makes clones of which implementation, and what proves that an address is one of them. */
const CORE = "@bananapus/core-v6"
const HOOK = "@bananapus/721-hook-v6"
const PAYER = "@bananapus/project-payer-v6"
const SPLIT = "@bananapus/univ4-lp-split-hook-v6"
const SUCKERS = "@bananapus/suckers-v6"
const DEFIFA = "@ballkidz/defifa"

export interface CloneFamily {
  readonly implementation: string
  readonly factory: string
  /** The factory's getter of its present implementation. */
  readonly getter: string
  readonly standard: "erc1167" | "solady"
  /** What ties a clone to its factory. */
  readonly association:
    | "JBTokens.projectIdOf(address)"
    | "JBAddressRegistry.deployerOf(address)"
    | "JB721TiersHook.checkpoints()"
    | "JBProjectPayer.DEPLOYER()"
    | "JBSuckerRegistry.isSuckerOf(uint256,address)"
  readonly proofs: ReadonlyArray<string>
}

export const PROOFS = {
  tokenProject: "JBTokens.projectIdOf(clone) != 0",
  projectToken: "JBTokens.tokenOf(projectId) = clone",
  tokenStore: "clone.tokens() = JBTokens",
  registered: "JBAddressRegistry.deployerOf(clone) = factory",
  project: "clone.projectId() != 0",
  hook: "clone.hook() is a proved tiers hook",
  checkpoints: "hook.checkpoints() = clone",
  payerDeployer: "clone.DEPLOYER() = factory",
  payerUse: "clone.defaultProjectId() and clone.owner() are not both zero",
  isSucker: "factory.isSucker(clone)",
  suckerDeployer: "clone.deployer() = factory",
  projectSucker: "JBSuckerRegistry.isSuckerOf(clone.projectId(), clone)"
} as const

const sucker = (name: string): CloneFamily => ({
  implementation: `${SUCKERS}:src/${name}.sol:${name}`,
  factory: `${SUCKERS}:src/deployers/${name}Deployer.sol:${name}Deployer`,
  getter: "singleton()",
  standard: "solady",
  association: "JBSuckerRegistry.isSuckerOf(uint256,address)",
  proofs: [PROOFS.isSucker, PROOFS.suckerDeployer, PROOFS.projectSucker]
})

export const CLONE_FAMILIES: ReadonlyArray<CloneFamily> = [
  {
    implementation: `${CORE}:src/JBERC20.sol:JBERC20`,
    factory: `${CORE}:src/JBTokens.sol:JBTokens`,
    getter: "TOKEN()",
    standard: "erc1167",
    association: "JBTokens.projectIdOf(address)",
    proofs: [PROOFS.tokenProject, PROOFS.projectToken, PROOFS.tokenStore]
  },
  {
    implementation: `${HOOK}:src/JB721TiersHook.sol:JB721TiersHook`,
    factory: `${HOOK}:src/JB721TiersHookDeployer.sol:JB721TiersHookDeployer`,
    getter: "HOOK()",
    standard: "solady",
    association: "JBAddressRegistry.deployerOf(address)",
    proofs: [PROOFS.registered, PROOFS.project]
  },
  {
    implementation: `${HOOK}:src/JB721Checkpoints.sol:JB721Checkpoints`,
    factory: `${HOOK}:src/JB721CheckpointsDeployer.sol:JB721CheckpointsDeployer`,
    getter: "IMPLEMENTATION()",
    standard: "solady",
    association: "JB721TiersHook.checkpoints()",
    proofs: [PROOFS.hook, PROOFS.checkpoints]
  },
  {
    implementation: `${PAYER}:src/JBProjectPayer.sol:JBProjectPayer`,
    factory: `${PAYER}:src/JBProjectPayerDeployer.sol:JBProjectPayerDeployer`,
    getter: "IMPLEMENTATION()",
    standard: "erc1167",
    association: "JBProjectPayer.DEPLOYER()",
    proofs: [PROOFS.payerDeployer, PROOFS.payerUse]
  },
  {
    implementation: `${SPLIT}:src/JBUniswapV4LPSplitHook.sol:JBUniswapV4LPSplitHook`,
    factory: `${SPLIT}:src/JBUniswapV4LPSplitHookDeployer.sol:JBUniswapV4LPSplitHookDeployer`,
    getter: "hookImplementation()",
    standard: "solady",
    association: "JBAddressRegistry.deployerOf(address)",
    proofs: [PROOFS.registered]
  },
  ...["JBArbitrumSucker", "JBBaseSucker", "JBCCIPSucker", "JBOptimismSucker"].map(sucker),
  {
    implementation: `${DEFIFA}:src/DefifaHook.sol:DefifaHook`,
    factory: `${DEFIFA}:src/DefifaDeployer.sol:DefifaDeployer`,
    getter: "HOOK_CODE_ORIGIN()",
    standard: "erc1167",
    association: "JBAddressRegistry.deployerOf(address)",
    proofs: [PROOFS.registered, PROOFS.project]
  }
]

const byImplementation = new Map(CLONE_FAMILIES.map(family => [family.implementation, family]))

export const familyOf = (contractId: string): CloneFamily | undefined => byImplementation.get(contractId)

export const TIERS_HOOK = `${HOOK}:src/JB721TiersHook.sol:JB721TiersHook` as const
