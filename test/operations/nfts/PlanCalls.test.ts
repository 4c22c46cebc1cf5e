import { Schema } from "effect"
import { Interface } from "ethers"
import fc from "fast-check"
import { describe, it } from "vitest"
import { planRegister } from "../../../src/operations/generated/PlanRegister.ts"
import { launchShopCalls } from "../../../src/operations/nfts/prepare_721_launch/LaunchShopCall.ts"
import { adjustTiersCalls } from "../../../src/operations/nfts/prepare_adjust_tiers/AdjustTiersCall.ts"
import {
  acceptedBy,
  RULESETS_TYPE,
  someRulesets,
  someTerminals,
  TERMINALS_TYPE
} from "../../support/Configurations.ts"
import { agreesWithEthers, aHash, anAddress, aProject, aUint } from "../../support/Encodings.ts"
import { someTiers, TIERS_TYPE } from "../../support/Tiers.ts"

const DEPLOYER = "0x3ffdc94e7f1de4b74c52158ec9dd3b965585f451"

const SHOP_RULESETS_TYPE = RULESETS_TYPE.replace("bool useDataHookForPay, ", "").replace(
  ", address dataHook",
  ""
)
const FLAGS_TYPE =
  "tuple(bool noNewTiersWithReserves, bool noNewTiersWithVotes, bool noNewTiersWithOwnerMinting, bool preventOverspending, bool issueTokensForSplits)"
const SHOP_TYPE = `tuple(string name, string symbol, string baseUri, address tokenUriResolver, string contractUri, tuple(${TIERS_TYPE} tiers, uint32 currency, uint8 decimals) tiersConfig, ${FLAGS_TYPE} flags)`
const LAUNCH_TYPE = `tuple(string projectUri, ${SHOP_RULESETS_TYPE} rulesetConfigurations, ${TERMINALS_TYPE} terminalConfigurations, string memo)`

const hook = new Interface([`function adjustTiers(${TIERS_TYPE} tiersToAdd, uint256[] tierIdsToRemove)`])
const deployer = new Interface([
  `function launchProjectFor(address owner, ${SHOP_TYPE} deployTiersHookConfig, ${LAUNCH_TYPE} launchProjectConfig, address controller, bytes32 salt) payable returns (uint256, address)`
])

const aText = fc.string({ unit: "grapheme", maxLength: 60 })
const flag = fc.boolean()

const adjusting = fc.record({
  project: aProject,
  account: anAddress,
  tiersToAdd: someTiers(1),
  tierIdsToRemove: fc.uniqueArray(fc.integer({ min: 1, max: 65_535 }), { maxLength: 4 })
})

const aShop = fc.record({
  name: aText.map(text => `Shop ${text}`),
  symbol: fc.constant("SHOP"),
  baseUri: aText,
  tokenUriResolver: anAddress,
  contractUri: aText,
  tiersConfig: fc.record({
    tiers: someTiers(),
    currency: fc.integer({ min: 1, max: 4_294_967_295 }),
    decimals: fc.integer({ min: 0, max: 18 })
  }),
  flags: fc.record({
    noNewTiersWithReserves: flag,
    noNewTiersWithVotes: flag,
    noNewTiersWithOwnerMinting: flag,
    preventOverspending: flag,
    issueTokensForSplits: flag
  })
})

const launching = someTerminals.chain(terminalConfigurations =>
  fc.record({
    chainId: fc.constant(1),
    account: anAddress,
    owner: anAddress,
    deployTiersHookConfig: aShop,
    projectUri: aText,
    rulesetConfigurations: someRulesets(acceptedBy(terminalConfigurations)).map(rulesets =>
      rulesets.map(({ metadata: { useDataHookForPay: _, dataHook: __, ...metadata }, ...ruleset }) => ({
        ...ruleset,
        metadata
      }))
    ),
    terminalConfigurations: fc.constant(terminalConfigurations),
    memo: aText,
    salt: aHash
  })
)

describe("the calls of plans for shops", () => {
  it("adjust exactly the tiers that are given", () => {
    agreesWithEthers({
      id: "prepare_adjust_tiers",
      input: adjusting,
      facts: fc.record({ hook: anAddress }),
      calls: adjustTiersCalls,
      independent: ({ tiersToAdd, tierIdsToRemove }, facts) => [
        { to: facts.hook, data: hook.encodeFunctionData("adjustTiers", [tiersToAdd, tierIdsToRemove]) }
      ]
    })
  })

  it("launch exactly the shop that is given, for the creation fee", () => {
    agreesWithEthers({
      id: "prepare_721_launch",
      input: launching,
      facts: fc.record({ controller: anAddress, creationFee: aUint(128).map(BigInt) }),
      calls: launchShopCalls,
      independent: (
        { owner, deployTiersHookConfig, salt, chainId: _, account: __, ...launch },
        { controller, creationFee }
      ) => [
        {
          to: DEPLOYER,
          data: deployer.encodeFunctionData("launchProjectFor", [
            owner,
            deployTiersHookConfig,
            launch,
            controller,
            salt
          ]),
          value: creationFee
        }
      ]
    })
  })

  it("are compared on inputs that the operations take", () => {
    const takesAdjusting = Schema.is(Schema.typeSchema(planRegister.prepare_adjust_tiers.input))
    const takesLaunch = Schema.is(Schema.typeSchema(planRegister.prepare_721_launch.input))
    fc.assert(
      fc.property(adjusting, input => takesAdjusting(input)),
      { numRuns: 50 }
    )
    fc.assert(
      fc.property(launching, input => takesLaunch(input)),
      { numRuns: 50 }
    )
  })
})
