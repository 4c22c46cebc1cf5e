import { canonicalSignature, functionsOf } from "../../../src/catalog/Abi.ts"
import { NO_RULESET_FLAGS } from "../../support/RulesetFlags.ts"
import {
  CONTROLLER,
  HOOK_DEPLOYER,
  PROJECTS,
  REVNET_DEPLOYER,
  REVNET_OWNER,
  SUCKER_REGISTRY,
  TIERS_HOOK
} from "./ContractIds.ts"
import { ACCOUNT, abiOf, BENEFICIARY, callTo, deployment, HOLDER, NATIVE, OTHER } from "./Receipts.ts"
import { atLeast, type Evented, type Scenario } from "./Scenario.ts"
import { added, ofTiers, tier } from "./ShopScenarios.ts"

const REVNET_ID = "7"
const STAGE_ID = "1700000000"
const CONFIGURATION_HASH = `0x${"66".repeat(32)}`
const deployerAddress = deployment(REVNET_DEPLOYER).address
const hookAddress = deployment(TIERS_HOOK).address
const ownerAddress = deployment(REVNET_OWNER).address

const split = {
  percent: "1000000000",
  projectId: "0",
  beneficiary: BENEFICIARY,
  preferAddToBalance: false,
  lockedUntil: "0",
  hook: `0x${"0".repeat(40)}`
}

const configuration = {
  description: { name: "Revnet", ticker: "REV", uri: "ipfs://revnet", salt: `0x${"11".repeat(32)}` },
  baseCurrency: "1",
  operator: ACCOUNT,
  scopeCashOutsToLocalBalances: false,
  stageConfigurations: [
    {
      startsAtOrAfter: STAGE_ID,
      autoIssuances: [{ chainId: "1", count: "500", beneficiary: HOLDER }],
      splitPercent: "1000",
      splits: [split],
      initialIssuance: "1000",
      issuanceCutFrequency: "86400",
      issuanceCutPercent: "10000000",
      cashOutTaxRate: "2000",
      extraMetadata: "4"
    }
  ]
}

const context = { token: NATIVE, decimals: "18", currency: "61166" }

const suckerConfiguration = {
  deployer: OTHER,
  peer: `0x${"0".repeat(64)}`,
  mappings: [{ localToken: NATIVE, minGas: "200000", remoteToken: `0x${"ee".repeat(32)}` }]
}

const suckers = { deployerConfigurations: [suckerConfiguration], salt: `0x${"22".repeat(32)}` }

const metadata = {
  reservedPercent: "1000",
  cashOutTaxRate: "2000",
  baseCurrency: "1",
  ...NO_RULESET_FLAGS,
  allowOwnerMinting: true,
  useDataHookForPay: true,
  useDataHookForCashOut: true,
  dataHook: ownerAddress,
  metadata: "4"
}

const ruleset = {
  mustStartAtOrAfter: STAGE_ID,
  duration: "86400",
  weight: "1000",
  weightCutPercent: "10000000",
  approvalHook: `0x${"0".repeat(40)}`,
  metadata,
  splitGroups: [{ groupId: "1", splits: [split] }],
  fundAccessLimitGroups: []
}

const shop = {
  baseline721HookConfiguration: {
    name: "Shop",
    symbol: "SHOP",
    baseUri: "ipfs://",
    tokenUriResolver: `0x${"0".repeat(40)}`,
    contractUri: "",
    tiersConfig: { tiers: [tier], currency: "1", decimals: "18" },
    flags: {
      noNewTiersWithReserves: false,
      noNewTiersWithVotes: false,
      noNewTiersWithOwnerMinting: false,
      preventOverspending: true
    }
  },
  salt: `0x${"44".repeat(32)}`,
  preventOperatorAdjustingTiers: false,
  preventOperatorUpdatingMetadata: false,
  preventOperatorMinting: true,
  preventOperatorIncreasingDiscountPercent: false
}

/** By how many arguments it takes. */
const deployFor = (args: ReadonlyArray<unknown>) => {
  const found = functionsOf(abiOf(deployment(REVNET_DEPLOYER).abiHash)).find(
    ({ name, inputs }) => name === "deployFor" && inputs.length === args.length
  )
  return callTo(REVNET_DEPLOYER, found === undefined ? "deployFor" : canonicalSignature(found), args)
}

const proof = (over: Pick<Evented, "contractId" | "event" | "fields" | "identity" | "free">): Evented => ({
  role: "proof",
  ...over
})

const emissions: ReadonlyArray<Evented> = [
  proof({
    contractId: PROJECTS,
    event: "Create",
    fields: { projectId: REVNET_ID, owner: deployerAddress, caller: deployerAddress },
    identity: ["projectId", "caller"],
    free: []
  }),
  {
    contractId: HOOK_DEPLOYER,
    event: "HookDeployed",
    role: "strengthening",
    fields: { projectId: REVNET_ID, hook: hookAddress, caller: deployerAddress },
    identity: ["projectId", "caller"],
    free: ["projectId", "hook", "caller"]
  },
  proof({
    contractId: SUCKER_REGISTRY,
    event: "SuckerDeployedFor",
    fields: {
      projectId: REVNET_ID,
      sucker: BENEFICIARY,
      configuration: suckerConfiguration,
      caller: deployerAddress
    },
    identity: ["projectId", "caller"],
    free: ["sucker"]
  }),
  proof({
    contractId: PROJECTS,
    event: "Transfer",
    fields: { from: deployerAddress, to: ownerAddress, tokenId: REVNET_ID },
    identity: ["from", "tokenId"],
    free: []
  }),
  proof({
    contractId: REVNET_OWNER,
    event: "InitializeRevnet",
    fields: { revnetId: REVNET_ID, caller: deployerAddress },
    identity: ["revnetId", "caller"],
    free: []
  }),
  proof({
    contractId: REVNET_DEPLOYER,
    event: "DeployRevnet",
    fields: {
      revnetId: REVNET_ID,
      configuration,
      terminalConfigurations: [
        { terminal: deployment(CONTROLLER).address, accountingContextsToAccept: [context] }
      ],
      suckerDeploymentConfiguration: suckers,
      rulesetConfigurations: [ruleset],
      encodedConfigurationHash: CONFIGURATION_HASH,
      caller: ACCOUNT
    },
    identity: ["revnetId", "caller"],
    free: ["terminalConfigurations", "rulesetConfigurations", "encodedConfigurationHash"]
  })
]

const events = [
  { event: "DeployRevnet", revnetId: REVNET_ID, encodedConfigurationHash: CONFIGURATION_HASH },
  { event: "Create", projectId: REVNET_ID },
  { event: "InitializeRevnet", revnetId: REVNET_ID },
  { event: "Transfer", to: ownerAddress, tokenId: REVNET_ID },
  { event: "SuckerDeployedFor", projectId: REVNET_ID, sucker: BENEFICIARY },
  { event: "HookDeployed", hook: hookAddress }
]

const planned = ["0", configuration, [context], suckers] as const

export const deployRevnet: Scenario = {
  name: "a revnet with the usual shop",
  verifier: "deploy_revnet",
  call: deployFor(planned),
  emissions,
  events
}

const asProof = (found: Evented): Evented => (found.event === "HookDeployed" ? ofTiers(found) : found)

export const deployRevnetWithShop: Scenario = {
  name: "a revnet with a shop of its own",
  verifier: "deploy_revnet_with_shop",
  call: deployFor([...planned, shop, []]),
  emissions: [...emissions.map(asProof), added("1", tier, { identity: [], free: ["caller"] })],
  events: [...events, { event: "AddTier", tierId: "1" }]
}

/** Two suckers, deployed in another order than was planned. */
export const turnedSuckers = (() => {
  const another = { ...suckerConfiguration, peer: `0x${"9".repeat(64)}` }
  const both = { ...suckers, deployerConfigurations: [suckerConfiguration, another] }
  const isSucker = ({ event }: Evented) => event === "SuckerDeployedFor"
  const configured = (configuration: unknown) =>
    emissions.filter(isSucker).map(found => ({ ...found, fields: { ...found.fields, configuration } }))
  const others = emissions
    .filter(found => !isSucker(found))
    .map(found =>
      found.event === "DeployRevnet"
        ? { ...found, fields: { ...found.fields, suckerDeploymentConfiguration: both } }
        : found
    )
  return {
    call: deployFor(["0", configuration, [context], both]),
    emissions: [...configured(another), ...configured(suckerConfiguration), ...others],
    repeated: [...configured(another), ...configured(another), ...others]
  }
})()

/** A project that exists already. */
export const convertedRevnet = {
  call: deployFor([REVNET_ID, configuration, [context], suckers]),
  emissions
}

export const autoIssue: Scenario = {
  name: "an automatic issuance",
  verifier: "auto_issue",
  call: callTo(REVNET_OWNER, "autoIssueFor(uint256,uint256,address)", [REVNET_ID, STAGE_ID, BENEFICIARY]),
  emissions: [
    {
      contractId: REVNET_OWNER,
      event: "AutoIssue",
      role: "proof",
      fields: {
        revnetId: REVNET_ID,
        stageId: STAGE_ID,
        beneficiary: BENEFICIARY,
        count: "500",
        caller: ACCOUNT
      },
      identity: ["revnetId", "stageId", "beneficiary", "caller"],
      free: [],
      wrong: { count: "0" },
      allows: { count: atLeast(1n) }
    },
    {
      contractId: CONTROLLER,
      event: "MintTokens",
      role: "strengthening",
      repeats: true,
      fields: {
        beneficiary: BENEFICIARY,
        projectId: REVNET_ID,
        tokenCount: "500",
        beneficiaryTokenCount: "500",
        memo: "",
        reservedPercent: "0",
        caller: ownerAddress
      },
      identity: ["beneficiary"],
      free: ["beneficiary", "projectId", "memo", "reservedPercent", "caller"]
    }
  ],
  events: [
    { event: "AutoIssue", revnetId: REVNET_ID, stageId: STAGE_ID, beneficiary: BENEFICIARY, count: "500" },
    { event: "MintTokens", beneficiaryTokenCount: "500" }
  ]
}
