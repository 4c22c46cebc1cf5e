/** The deployer and the owner of revnets, and one revnet of two stages. */
import { type Address, encodeFunctionData, parseAbi, parseEther, toHex, zeroAddress, zeroHash } from "viem"
import { addressOf } from "../addresses.ts"
import REVDeployer from "../artifacts/REVDeployer.json" with { type: "json" }
import REVOwner from "../artifacts/REVOwner.json" with { type: "json" }
import { call, ETH_CURRENCY, nativeTerminal, type SandboxAccounts, type SandboxCall } from "../calls.ts"
import type { Deployed } from "../contracts.ts"

export const REVNET_ID = 4n

/** The fee project stands for REV. */
export const FEE_REVNET_ID = "1"

const shared = (deployer: Address) => ({
  feeRevnetId: FEE_REVNET_ID,
  suckerRegistry: addressOf("JBSuckerRegistry", deployer),
  buybackHook: addressOf("JBBuybackHookRegistry", deployer),
  loans: addressOf("REVLoans", deployer)
})

export const revnetContracts: ReadonlyArray<Deployed> = [
  {
    artifact: REVDeployer,
    contractId: "@rev-net/core-v6:src/REVDeployer.sol:REVDeployer",
    arguments: deployer => ({
      ...shared(deployer),
      routerTerminalRegistry: addressOf("JBRouterTerminalRegistry", deployer),
      hookDeployer: addressOf("JB721TiersHookDeployer", deployer),
      publisher: zeroAddress,
      owner: addressOf("REVOwner", deployer)
    })
  },
  {
    artifact: REVOwner,
    contractId: "@rev-net/core-v6:src/REVOwner.sol:REVOwner",
    arguments: deployer => ({ ...shared(deployer), deployerAddress: deployer })
  }
]

export const revnetAbi = parseAbi([
  "struct Split { uint32 percent; uint64 projectId; address beneficiary; bool preferAddToBalance; uint48 lockedUntil; address hook; }",
  "struct AccountingContext { address token; uint8 decimals; uint32 currency; }",
  "struct AutoIssuance { uint32 chainId; uint104 count; address beneficiary; }",
  "struct Stage { uint48 startsAtOrAfter; AutoIssuance[] autoIssuances; uint16 splitPercent; Split[] splits; uint112 initialIssuance; uint32 issuanceCutFrequency; uint32 issuanceCutPercent; uint16 cashOutTaxRate; uint16 extraMetadata; }",
  "struct Description { string name; string ticker; string uri; bytes32 salt; }",
  "struct Config { Description description; uint32 baseCurrency; address operator; bool scopeCashOutsToLocalBalances; Stage[] stageConfigurations; }",
  "struct TokenMapping { address localToken; uint32 minGas; bytes32 remoteToken; }",
  "struct SuckerDeployer { address deployer; bytes32 peer; TokenMapping[] mappings; }",
  "struct Suckers { SuckerDeployer[] deployerConfigurations; bytes32 salt; }",
  "function setDeployer(address newDeployer)",
  "function deployFor(uint256 revnetId, Config configuration, AccountingContext[] accountingContextsToAccept, Suckers suckerDeploymentConfiguration) payable returns (uint256, address hook)"
])

const SANDBOX_CHAIN_ID = 31_337
const ANOTHER_CHAIN_ID = 1
const DAY_SECONDS = 86_400
const SPLITS_TOTAL = 1_000_000_000
const SUCKERS_ALLOWED = 4

/** The beginning of the year 2100. */
const SECOND_STAGE_START = 4_102_444_800

/** The first stage starts with its deployment; what it promises the holder can be issued at once. */
const stagesOf = ({ beneficiary, holder }: SandboxAccounts) => {
  const share = { percent: SPLITS_TOTAL, projectId: 0n, beneficiary, lockedUntil: 0, hook: zeroAddress }
  const first = {
    startsAtOrAfter: 0,
    autoIssuances: [
      { chainId: SANDBOX_CHAIN_ID, count: parseEther("500"), beneficiary: holder },
      { chainId: ANOTHER_CHAIN_ID, count: parseEther("700"), beneficiary: holder }
    ],
    splitPercent: 1_000,
    splits: [{ ...share, preferAddToBalance: false }],
    initialIssuance: parseEther("1000"),
    issuanceCutFrequency: DAY_SECONDS,
    issuanceCutPercent: 10_000_000,
    cashOutTaxRate: 2_000,
    extraMetadata: SUCKERS_ALLOWED
  }
  const issuance = { chainId: SANDBOX_CHAIN_ID, count: parseEther("100"), beneficiary: holder }
  return [
    first,
    { ...first, startsAtOrAfter: SECOND_STAGE_START, autoIssuances: [issuance], cashOutTaxRate: 5_000 }
  ]
}

const revnetOf = (accounts: SandboxAccounts) => ({
  description: {
    name: "Sandbox Revnet",
    ticker: "REVNET",
    uri: "",
    salt: toHex("revnet", { size: 32 })
  },
  baseCurrency: ETH_CURRENCY,
  operator: accounts.owner,
  scopeCashOutsToLocalBalances: false,
  stageConfigurations: stagesOf(accounts)
})

export const revnetSeed = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const { owner } = accounts
  const deployer = addressOf("REVDeployer", owner)
  const { accountingContextsToAccept } = nativeTerminal(addressOf("JBMultiTerminal", owner))
  return [
    call(
      addressOf("REVOwner", owner),
      encodeFunctionData({ abi: revnetAbi, functionName: "setDeployer", args: [deployer] })
    ),
    call(
      deployer,
      encodeFunctionData({
        abi: revnetAbi,
        functionName: "deployFor",
        args: [
          0n,
          revnetOf(accounts),
          accountingContextsToAccept,
          { deployerConfigurations: [], salt: zeroHash }
        ]
      })
    )
  ]
}
