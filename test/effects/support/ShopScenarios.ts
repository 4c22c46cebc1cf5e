import { ADJUST_TIERS, LAUNCH_SHOP } from "../../../src/protocol/ShopFunctions.ts"
import { CONTROLLER, HOOK_DEPLOYER, PROJECTS, SHOP_DEPLOYER, TIERS_HOOK } from "./ContractIds.ts"
import { ACCOUNT, BENEFICIARY, callTo, deployment, HOLDER } from "./Receipts.ts"
import { controllerAddress, type Evented, projectCreated, type Scenario } from "./Scenario.ts"

const NOBODY = `0x${"0".repeat(40)}`

export const tier = {
  price: "1000",
  initialSupply: "10",
  votingUnits: "0",
  reserveFrequency: "5",
  reserveBeneficiary: BENEFICIARY,
  encodedIpfsUri: `0x${"77".repeat(32)}`,
  category: "1",
  discountPercent: "20",
  flags: {
    allowOwnerMint: false,
    useReserveBeneficiaryAsDefault: false,
    transfersPausable: true,
    useVotingUnits: false,
    cantBeRemoved: false,
    cantIncreaseDiscountPercent: false,
    cantBuyWithCredits: true
  },
  splitPercent: "500000000",
  splits: [
    {
      percent: "1000000000",
      projectId: "0",
      beneficiary: HOLDER,
      preferAddToBalance: false,
      lockedUntil: "0",
      hook: NOBODY
    }
  ]
}

const cheaper = { ...tier, price: "900" }

export const added = (tierId: string, tierAdded: typeof tier, over: Partial<Evented>): Evented => ({
  contractId: TIERS_HOOK,
  event: "AddTier",
  role: "proof",
  fields: { tierId, tier: tierAdded, caller: ACCOUNT },
  identity: ["caller"],
  free: [],
  ...over
})

const removed = (tierId: string): Evented => ({
  contractId: TIERS_HOOK,
  event: "RemoveTier",
  role: "proof",
  fields: { tierId, caller: ACCOUNT },
  identity: ["caller"],
  free: []
})

/** The shop keeps the order of categories; within one it may tell the tiers in another order than they were given in. */
export const adjustTiers: Scenario = {
  name: "tiers added and removed",
  verifier: "adjust_tiers",
  call: callTo(TIERS_HOOK, ADJUST_TIERS, [
    [tier, cheaper, tier],
    ["3", "9"]
  ]),
  emissions: [
    removed("3"),
    removed("9"),
    added("12", cheaper, {}),
    added("13", tier, {}),
    added("14", tier, {})
  ],
  events: [
    { event: "RemoveTier", tierId: "3" },
    { event: "RemoveTier", tierId: "9" },
    { event: "AddTier", tierId: "12" },
    { event: "AddTier", tierId: "13" },
    { event: "AddTier", tierId: "14" }
  ]
}

export const removeTiers: Scenario = {
  name: "a removed tier",
  verifier: "adjust_tiers",
  call: callTo(TIERS_HOOK, ADJUST_TIERS, [[], ["3"]]),
  emissions: [removed("3")],
  events: [{ event: "RemoveTier", tierId: "3" }]
}

const deployer = deployment(SHOP_DEPLOYER).address
const hook = deployment(TIERS_HOOK).address

const launchOf = (tiers: ReadonlyArray<typeof tier>) =>
  callTo(SHOP_DEPLOYER, LAUNCH_SHOP, [
    HOLDER,
    {
      name: "Shop",
      symbol: "SHOP",
      baseUri: "",
      tokenUriResolver: NOBODY,
      contractUri: "",
      tiersConfig: { tiers, currency: "1", decimals: "18" },
      flags: {
        noNewTiersWithReserves: false,
        noNewTiersWithVotes: false,
        noNewTiersWithOwnerMinting: false,
        preventOverspending: false,
        issueTokensForSplits: false
      }
    },
    { projectUri: "ipfs://project", rulesetConfigurations: [], terminalConfigurations: [], memo: "hello" },
    controllerAddress,
    `0x${"00".repeat(32)}`
  ])

const launched: ReadonlyArray<Evented> = [
  projectCreated(deployer, deployer),
  {
    contractId: HOOK_DEPLOYER,
    event: "HookDeployed",
    role: "proof",
    fields: { projectId: "9", hook, caller: deployer },
    identity: ["projectId", "caller"],
    free: ["hook"]
  },
  {
    contractId: CONTROLLER,
    event: "LaunchRulesets",
    role: "proof",
    fields: {
      rulesetId: "1700000000",
      projectId: "9",
      projectUri: "ipfs://project",
      memo: "hello",
      caller: deployer
    },
    identity: ["projectId", "caller"],
    free: ["rulesetId"]
  },
  {
    contractId: PROJECTS,
    event: "Transfer",
    role: "proof",
    fields: { from: deployer, to: HOLDER, tokenId: "9" },
    identity: ["from", "to", "tokenId"],
    free: []
  }
]

const shown = [
  { event: "Create", projectId: "9" },
  { event: "HookDeployed", hook },
  { event: "LaunchRulesets", projectId: "9", rulesetId: "1700000000" },
  { event: "Transfer", to: HOLDER, tokenId: "9" }
]

/** Tiers that it adds are those of the hook that was deployed. */
export const ofTiers = (deployed: Evented): Evented => ({
  ...deployed,
  role: "proof",
  identity: ["projectId", "hook", "caller"],
  free: []
})

const ofHook = { identity: [], free: ["caller"] }

/** Its deployer acts for whoever calls it, so that no event tells the wallet. */
export const launchShop: Scenario = {
  name: "a project launched with a shop",
  verifier: "launch_721_project",
  namesNoWallet: true,
  call: launchOf([tier, cheaper]),
  emissions: [
    ...launched.map(each => (each.event === "HookDeployed" ? ofTiers(each) : each)),
    added("1", tier, ofHook),
    added("2", cheaper, ofHook)
  ],
  events: [...shown, { event: "AddTier", tierId: "1" }, { event: "AddTier", tierId: "2" }]
}

export const launchShopWithoutTiers: Scenario = {
  name: "a project launched with an empty shop",
  verifier: "launch_721_project",
  namesNoWallet: true,
  call: launchOf([]),
  emissions: launched,
  events: shown
}
