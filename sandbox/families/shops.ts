/** The 721 hook with its store and deployers, and a project that sells tiers. */
import { type Address, encodeFunctionData, parseAbi, parseEther, toHex, zeroAddress, zeroHash } from "viem"
import { addressOf, createdAt } from "../addresses.ts"
import JB721TiersHook from "../artifacts/JB721TiersHook.json" with { type: "json" }
import JB721TiersHookDeployer from "../artifacts/JB721TiersHookDeployer.json" with { type: "json" }
import JB721TiersHookProjectDeployer from "../artifacts/JB721TiersHookProjectDeployer.json" with {
  type: "json"
}
import JB721TiersHookStore from "../artifacts/JB721TiersHookStore.json" with { type: "json" }
import JBAddressRegistry from "../artifacts/JBAddressRegistry.json" with { type: "json" }
import {
  call,
  ETH_CURRENCY,
  metadata,
  nativeTerminal,
  ruleset,
  type SandboxAccounts,
  type SandboxCall
} from "../calls.ts"
import type { Deployed } from "../contracts.ts"
import { protocolStructs } from "../protocolAbi.ts"

export const SHOP_PROJECT_ID = 3n

const ETH_DECIMALS = 18

const shopId = (name: string) => `@bananapus/721-hook-v6:src/${name}.sol:${name}`

const store = (deployer: Address) => ({ store: addressOf("JB721TiersHookStore", deployer) })

export const shopContracts: ReadonlyArray<Deployed> = [
  {
    artifact: JBAddressRegistry,
    contractId: "@bananapus/address-registry-v6:src/JBAddressRegistry.sol:JBAddressRegistry"
  },
  { artifact: JB721TiersHookStore, contractId: shopId("JB721TiersHookStore") },
  {
    artifact: JB721TiersHook,
    contractId: shopId("JB721TiersHook"),
    arguments: deployer => ({ ...store(deployer), checkpointsDeployer: zeroAddress })
  },
  {
    artifact: JB721TiersHookDeployer,
    contractId: shopId("JB721TiersHookDeployer"),
    arguments: deployer => ({ ...store(deployer), hook: addressOf("JB721TiersHook", deployer) })
  },
  {
    artifact: JB721TiersHookProjectDeployer,
    contractId: shopId("JB721TiersHookProjectDeployer"),
    arguments: deployer => ({ hookDeployer: addressOf("JB721TiersHookDeployer", deployer) })
  }
]

export const shopAbi = parseAbi([
  ...protocolStructs,
  "struct TierFlags { bool allowOwnerMint; bool useReserveBeneficiaryAsDefault; bool transfersPausable; bool useVotingUnits; bool cantBeRemoved; bool cantIncreaseDiscountPercent; bool cantBuyWithCredits; }",
  "struct Tier { uint104 price; uint32 initialSupply; uint32 votingUnits; uint16 reserveFrequency; address reserveBeneficiary; bytes32 encodedIpfsUri; uint24 category; uint8 discountPercent; TierFlags flags; uint32 splitPercent; Split[] splits; }",
  "struct Tiers { Tier[] tiers; uint32 currency; uint8 decimals; }",
  "struct ShopFlags { bool noNewTiersWithReserves; bool noNewTiersWithVotes; bool noNewTiersWithOwnerMinting; bool preventOverspending; bool issueTokensForSplits; }",
  "struct Shop { string name; string symbol; string baseUri; address tokenUriResolver; string contractUri; Tiers tiersConfig; ShopFlags flags; }",
  "struct ShopMetadata { uint16 reservedPercent; uint16 cashOutTaxRate; uint32 baseCurrency; bool pausePay; bool pauseCreditTransfers; bool allowOwnerMinting; bool allowSetCustomToken; bool allowTerminalMigration; bool allowSetTerminals; bool allowSetController; bool allowAddAccountingContext; bool allowAddPriceFeed; bool ownerMustSendPayouts; bool holdFees; bool scopeCashOutsToLocalBalances; bool useDataHookForCashOut; uint16 metadata; }",
  "struct ShopRuleset { uint48 mustStartAtOrAfter; uint32 duration; uint112 weight; uint32 weightCutPercent; address approvalHook; ShopMetadata metadata; SplitGroup[] splitGroups; LimitGroup[] fundAccessLimitGroups; }",
  "struct Launch { string projectUri; ShopRuleset[] rulesetConfigurations; TerminalConfig[] terminalConfigurations; string memo; }",
  "function launchProjectFor(address owner, Shop deployTiersHookConfig, Launch launchProjectConfig, address controller, bytes32 salt) payable returns (uint256 projectId, address hook)"
])

const plainFlags = {
  allowOwnerMint: false,
  useReserveBeneficiaryAsDefault: false,
  transfersPausable: false,
  useVotingUnits: false,
  cantBeRemoved: false,
  cantIncreaseDiscountPercent: false,
  cantBuyWithCredits: false
}

const plainTier = {
  votingUnits: 0,
  reserveFrequency: 0,
  reserveBeneficiary: zeroAddress,
  encodedIpfsUri: toHex("tier", { size: 32 }),
  category: 0,
  discountPercent: 0,
  flags: plainFlags,
  splitPercent: 0,
  splits: []
}

/** A plain tier, one that stays, is discounted by a tenth and keeps a reserve, and one that credits cannot buy. */
const seededTiers = ({ beneficiary }: SandboxAccounts) => [
  { ...plainTier, price: parseEther("0.1"), initialSupply: 100 },
  {
    ...plainTier,
    price: parseEther("1"),
    initialSupply: 10,
    category: 1,
    discountPercent: 20,
    reserveFrequency: 5,
    reserveBeneficiary: beneficiary,
    flags: { ...plainFlags, cantBeRemoved: true }
  },
  {
    ...plainTier,
    price: parseEther("0.5"),
    initialSupply: 5,
    category: 1,
    flags: { ...plainFlags, cantBuyWithCredits: true }
  }
]

const shopOf = (accounts: SandboxAccounts) => ({
  name: "Sandbox Shop",
  symbol: "SHOP",
  baseUri: "ipfs://",
  tokenUriResolver: zeroAddress,
  contractUri: "",
  tiersConfig: { tiers: seededTiers(accounts), currency: ETH_CURRENCY, decimals: ETH_DECIMALS },
  flags: {
    noNewTiersWithReserves: false,
    noNewTiersWithVotes: false,
    noNewTiersWithOwnerMinting: true,
    preventOverspending: false,
    issueTokensForSplits: false
  }
})

/** The first contract that the hook deployer creates, at its nonce 1, is the seeded shop. */
export const shopHookOf = (owner: Address): Address =>
  createdAt(addressOf("JB721TiersHookDeployer", owner), 1)

export const shopSeed = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const { owner } = accounts
  const launched = {
    projectUri: "",
    rulesetConfigurations: [{ ...ruleset, metadata }],
    terminalConfigurations: [nativeTerminal(addressOf("JBMultiTerminal", owner))],
    memo: "Sells tiers"
  }
  const launch = encodeFunctionData({
    abi: shopAbi,
    functionName: "launchProjectFor",
    args: [owner, shopOf(accounts), launched, addressOf("JBController", owner), zeroHash]
  })
  return [call(addressOf("JB721TiersHookProjectDeployer", owner), launch)]
}
