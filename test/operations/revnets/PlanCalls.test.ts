import { Schema } from "effect"
import { Interface } from "ethers"
import fc from "fast-check"
import { describe, it } from "vitest"
import { planRegister } from "../../../src/operations/generated/PlanRegister.ts"
import { autoIssueCalls } from "../../../src/operations/revnets/prepare_auto_issue/Run.ts"
import { deployCalls } from "../../../src/operations/revnets/prepare_revnet_deploy/DeployCalls.ts"
import { ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import { SPLIT_TYPE, someSplits } from "../../support/Configurations.ts"
import { agreesWithEthers, aHash, anAddress, aProject, aUint } from "../../support/Encodings.ts"
import { someTierFlags } from "../../support/Tiers.ts"

const REVNET_DEPLOYER = "0xb552eb94284f94b833837d4b2cbb237128415d4e"
const REVNET_OWNER = "0x2ba4705ad0332cdfb299b452068438bcba3faaf3"

const STAGE_TYPE = `tuple(uint48 startsAtOrAfter, tuple(uint32 chainId, uint104 count, address beneficiary)[] autoIssuances, uint16 splitPercent, ${SPLIT_TYPE}[] splits, uint112 initialIssuance, uint32 issuanceCutFrequency, uint32 issuanceCutPercent, uint16 cashOutTaxRate, uint16 extraMetadata)`

const TIER_TYPE = `tuple(uint104 price, uint32 initialSupply, uint32 votingUnits, uint16 reserveFrequency, address reserveBeneficiary, bytes32 encodedIpfsUri, uint24 category, uint8 discountPercent, tuple(bool allowOwnerMint, bool useReserveBeneficiaryAsDefault, bool transfersPausable, bool useVotingUnits, bool cantBeRemoved, bool cantIncreaseDiscountPercent, bool cantBuyWithCredits) flags, uint32 splitPercent, ${SPLIT_TYPE}[] splits)`

const COMMON = `uint256 revnetId, tuple(tuple(string name, string ticker, string uri, bytes32 salt) description, uint32 baseCurrency, address operator, bool scopeCashOutsToLocalBalances, ${STAGE_TYPE}[] stageConfigurations) configuration, tuple(address token, uint8 decimals, uint32 currency)[] accountingContextsToAccept, tuple(tuple(address deployer, bytes32 peer, tuple(address localToken, uint32 minGas, bytes32 remoteToken)[] mappings)[] deployerConfigurations, bytes32 salt) suckerDeploymentConfiguration`

const SHOP_TYPE = `tuple(tuple(string name, string symbol, string baseUri, address tokenUriResolver, string contractUri, tuple(${TIER_TYPE}[] tiers, uint32 currency, uint8 decimals) tiersConfig, tuple(bool noNewTiersWithReserves, bool noNewTiersWithVotes, bool noNewTiersWithOwnerMinting, bool preventOverspending) flags) baseline721HookConfiguration, bytes32 salt, bool preventOperatorAdjustingTiers, bool preventOperatorUpdatingMetadata, bool preventOperatorMinting, bool preventOperatorIncreasingDiscountPercent) tiered721HookConfiguration`

const POSTS_TYPE =
  "tuple(uint24 category, uint104 minimumPrice, uint32 minimumTotalSupply, uint32 maximumTotalSupply, uint32 maximumSplitPercent, address[] allowedAddresses)[] allowedPosts"

const withoutShop = new Interface([`function deployFor(${COMMON}) payable returns (uint256, address hook)`])
const withShop = new Interface([
  `function deployFor(${COMMON}, ${SHOP_TYPE}, ${POSTS_TYPE}) payable returns (uint256, address hook)`
])
const issuing = new Interface([
  "function autoIssueFor(uint256 revnetId, uint256 stageId, address beneficiary)"
])

const LAST_U32 = 4_294_967_295
const SUCKERS_ALLOWED = 4
const MAXIMUM_TICKER = 32
const flag = fc.boolean()
const aText = fc.string({ unit: "grapheme", maxLength: 30 })
const aName = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter(({ length }) => length <= MAXIMUM_TICKER)
const MAXIMUM_NAME = 256
const ofAnyLength = (most: number) => fc.oneof(aName, fc.constant("n".repeat(most)))
const upTo = (max: number, min = 0) => fc.integer({ min, max })
const few = { maxLength: 3 }

const aStage = fc.tuple(someSplits, upTo(10_000)).chain(([splits, percent]) =>
  fc.record({
    startsAtOrAfter: fc.constant("0"),
    autoIssuances: fc.array(
      fc.record({ chainId: upTo(LAST_U32, 1), count: aUint(104), beneficiary: anAddress }),
      few
    ),
    splitPercent: fc.constant(splits.length === 0 ? 0 : percent),
    splits: fc.constant(splits),
    initialIssuance: aUint(112),
    issuanceCutFrequency: upTo(LAST_U32),
    issuanceCutPercent: upTo(1_000_000_000),
    cashOutTaxRate: upTo(9_999),
    extraMetadata: upTo(16_383).map(bits => bits | SUCKERS_ALLOWED)
  })
)

const someStages = fc
  .tuple(fc.array(aStage, { minLength: 1, maxLength: 3 }), upTo(LAST_U32, 1))
  .map(([stages, first]) =>
    stages.map((stage, index) => ({ ...stage, startsAtOrAfter: String(first + index) }))
  )

const aTier = fc.record({
  price: aUint(104),
  initialSupply: upTo(999_999_999, 2),
  votingUnits: upTo(LAST_U32),
  reserveFrequency: upTo(65_535),
  reserveBeneficiary: fc.oneof(anAddress, fc.constant(ZERO_ADDRESS)),
  encodedIpfsUri: aHash,
  category: upTo(16_777_215),
  discountPercent: upTo(200),
  flags: someTierFlags,
  splitPercent: upTo(1_000_000_000),
  splits: someSplits
})

const someTiers = fc
  .array(aTier, few)
  .map(tiers => tiers.toSorted((one, other) => one.category - other.category))

const aShop = fc.record({
  baseline: fc.record({
    name: aName,
    symbol: aName,
    baseUri: aText,
    tokenUriResolver: fc.oneof(anAddress, fc.constant(ZERO_ADDRESS)),
    contractUri: aText,
    tiersConfig: fc.record({ tiers: someTiers, currency: upTo(LAST_U32, 1), decimals: upTo(18) }),
    flags: fc.record({
      noNewTiersWithReserves: flag,
      noNewTiersWithVotes: flag,
      noNewTiersWithOwnerMinting: flag,
      preventOverspending: flag
    })
  }),
  salt: aHash,
  preventOperatorAdjustingTiers: flag,
  preventOperatorUpdatingMetadata: flag,
  preventOperatorMinting: flag,
  preventOperatorIncreasingDiscountPercent: flag
})

const aPost = fc.record({
  category: upTo(16_777_215),
  minimumPrice: aUint(104),
  minimumTotalSupply: upTo(LAST_U32, 1),
  maximumTotalSupply: upTo(LAST_U32),
  maximumSplitPercent: upTo(LAST_U32),
  allowedAddresses: fc.array(anAddress, few)
})

const aMapping = fc.record({ localToken: anAddress, minGas: upTo(LAST_U32, 200_000), remoteToken: aHash })

const common = {
  chainId: fc.constant(1),
  account: anAddress,
  config: fc.record({
    description: fc.record({
      name: ofAnyLength(MAXIMUM_NAME),
      ticker: ofAnyLength(MAXIMUM_TICKER),
      uri: aText,
      salt: aHash
    }),
    baseCurrency: upTo(LAST_U32, 1),
    operator: anAddress,
    scopeCashOutsToLocalBalances: flag,
    stageConfigurations: someStages
  }),
  accountingContexts: fc.uniqueArray(
    fc.record({ token: anAddress, decimals: upTo(36), currency: upTo(LAST_U32, 1) }),
    { minLength: 1, maxLength: 3, selector: ({ token }) => token }
  ),
  suckerConfig: fc.record({
    salt: aHash.filter(salt => BigInt(salt) > 0n),
    deployerConfigurations: fc.array(
      fc.record({
        deployer: anAddress,
        peer: aHash,
        mappings: fc.array(aMapping, { minLength: 1, maxLength: 2 })
      }),
      few
    )
  })
}

const plain = fc.record({ ...common, allowedPosts: fc.constant([]) })
const selling = fc.record({ ...common, tiered721Config: aShop, allowedPosts: fc.array(aPost, few) })
const aFee = fc.record({ creationFee: aUint(128).map(BigInt) })

const aPromise = fc.record({
  project: aProject,
  account: anAddress,
  stageId: aUint(48, 1n),
  beneficiary: anAddress
})

describe("the calls of plans for revnets", () => {
  it("deploy exactly what is given, for the creation fee", () => {
    agreesWithEthers({
      id: "prepare_revnet_deploy",
      input: plain,
      facts: aFee,
      calls: deployCalls,
      independent: ({ config, accountingContexts, suckerConfig }, { creationFee }) => [
        {
          to: REVNET_DEPLOYER,
          data: withoutShop.encodeFunctionData("deployFor", [0n, config, accountingContexts, suckerConfig]),
          value: creationFee
        }
      ]
    })
  })

  it("deploy exactly the shop that is given", () => {
    agreesWithEthers({
      id: "prepare_revnet_deploy",
      input: selling,
      facts: aFee,
      calls: deployCalls,
      independent: (input, { creationFee }) => {
        const { baseline, ...rest } = input.tiered721Config
        return [
          {
            to: REVNET_DEPLOYER,
            data: withShop.encodeFunctionData("deployFor", [
              0n,
              input.config,
              input.accountingContexts,
              input.suckerConfig,
              { ...rest, baseline721HookConfiguration: baseline },
              input.allowedPosts
            ]),
            value: creationFee
          }
        ]
      }
    })
  })

  it("issue what was promised", () => {
    agreesWithEthers({
      id: "prepare_auto_issue",
      input: aPromise,
      facts: fc.constant(undefined),
      calls: autoIssueCalls,
      independent: ({ project, stageId, beneficiary }) => [
        {
          to: REVNET_OWNER,
          data: issuing.encodeFunctionData("autoIssueFor", [project.projectId, stageId, beneficiary])
        }
      ]
    })
  })

  it("are compared on inputs that the operations take", () => {
    const takesRevnet = Schema.is(Schema.typeSchema(planRegister.prepare_revnet_deploy.input))
    const takesPromise = Schema.is(Schema.typeSchema(planRegister.prepare_auto_issue.input))
    fc.assert(
      fc.property(plain, input => takesRevnet(input)),
      { numRuns: 50 }
    )
    fc.assert(
      fc.property(selling, input => takesRevnet(input)),
      { numRuns: 50 }
    )
    fc.assert(
      fc.property(aPromise, input => takesPromise(input)),
      { numRuns: 50 }
    )
  })
})
