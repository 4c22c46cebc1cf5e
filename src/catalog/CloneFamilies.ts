/** Which factory makes clones of which implementation, and what proves that an address is one of them. */
const CORE = "@bananapus/core-v6"
const HOOK = "@bananapus/721-hook-v6"
const PAYER = "@bananapus/project-payer-v6"
const SPLIT = "@bananapus/univ4-lp-split-hook-v6"
const SUCKERS = "@bananapus/suckers-v6"
const DEFIFA = "@ballkidz/defifa"

interface CloneFamily {
  readonly implementation: string
  readonly factory: string
  /** The factory's getter of its present implementation. */
  readonly getter: string
  readonly standard: "erc1167" | "solady"
  readonly proofs: ReadonlyArray<string>
}

const registered = "JBAddressRegistry.deployerOf(clone) = factory"

const sucker = (name: string): CloneFamily => ({
  implementation: `${SUCKERS}:src/${name}.sol:${name}`,
  factory: `${SUCKERS}:src/deployers/${name}Deployer.sol:${name}Deployer`,
  getter: "singleton()",
  standard: "solady",
  proofs: [
    "factory.isSucker(clone)",
    "clone.deployer() = factory",
    "JBSuckerRegistry.isSuckerOf(clone.projectId(), clone)"
  ]
})

export const CLONE_FAMILIES: ReadonlyArray<CloneFamily> = [
  {
    implementation: `${CORE}:src/JBERC20.sol:JBERC20`,
    factory: `${CORE}:src/JBTokens.sol:JBTokens`,
    getter: "TOKEN()",
    standard: "erc1167",
    proofs: [
      "JBTokens.projectIdOf(clone) != 0",
      "JBTokens.tokenOf(projectId) = clone",
      "clone.tokens() = JBTokens"
    ]
  },
  {
    implementation: `${HOOK}:src/JB721TiersHook.sol:JB721TiersHook`,
    factory: `${HOOK}:src/JB721TiersHookDeployer.sol:JB721TiersHookDeployer`,
    getter: "HOOK()",
    standard: "solady",
    proofs: [registered, "clone.projectId() != 0"]
  },
  {
    implementation: `${HOOK}:src/JB721Checkpoints.sol:JB721Checkpoints`,
    factory: `${HOOK}:src/JB721CheckpointsDeployer.sol:JB721CheckpointsDeployer`,
    getter: "IMPLEMENTATION()",
    standard: "solady",
    proofs: ["clone.hook() is a proved tiers hook", "hook.checkpoints() = clone"]
  },
  {
    implementation: `${PAYER}:src/JBProjectPayer.sol:JBProjectPayer`,
    factory: `${PAYER}:src/JBProjectPayerDeployer.sol:JBProjectPayerDeployer`,
    getter: "IMPLEMENTATION()",
    standard: "erc1167",
    proofs: ["clone.DEPLOYER() = factory", "clone.defaultProjectId() and clone.owner() are not both zero"]
  },
  {
    implementation: `${SPLIT}:src/JBUniswapV4LPSplitHook.sol:JBUniswapV4LPSplitHook`,
    factory: `${SPLIT}:src/JBUniswapV4LPSplitHookDeployer.sol:JBUniswapV4LPSplitHookDeployer`,
    getter: "hookImplementation()",
    standard: "solady",
    proofs: [registered]
  },
  ...["JBArbitrumSucker", "JBBaseSucker", "JBCCIPSucker", "JBOptimismSucker"].map(sucker),
  {
    implementation: `${DEFIFA}:src/DefifaHook.sol:DefifaHook`,
    factory: `${DEFIFA}:src/DefifaDeployer.sol:DefifaDeployer`,
    getter: "HOOK_CODE_ORIGIN()",
    standard: "erc1167",
    proofs: [registered, "clone.projectId() != 0"]
  }
]
