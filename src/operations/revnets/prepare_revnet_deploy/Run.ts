/** A plan of one call that deploys a revnet with its stages, suckers and shop. */

import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { type Observed, observed } from "../../../values/Observed.ts"
import { Uint256 } from "../../../values/Scalars.ts"
import { OF_STAGES, OF_TIERS, splitWarnings } from "../../configuration/SplitWarnings.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { requireAccepted } from "../../nfts/AcceptedTokens.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { ExplicitNftPricingRequired, SuckerDeployerNotAllowed, SuckerTokenNotAccepted } from "../refusals.ts"
import { requireDependencies } from "../VerifyRevnet.ts"
import { prepareRevnetDeploy } from "./Declaration.ts"
import { type DeployFacts, type DeployInput, deployCalls } from "./DeployCalls.ts"
import { deployWarnings } from "./DeployWarnings.ts"
import { prepareRevnetDeployEffects } from "./Effects.ts"

const ETH_CURRENCY = 1
const ETH_DECIMALS = 18

/** What the input itself rules out. */
const requireConsistent = Effect.fnUntraced(function* (input: DeployInput) {
  const { accountingContexts, config, suckerConfig, tiered721Config } = input
  if (tiered721Config === undefined && config.baseCurrency !== ETH_CURRENCY)
    return yield* new ExplicitNftPricingRequired({ context: { baseCurrency: config.baseCurrency } })
  const accepted = accountingContexts.map(({ token }) => token)
  const foreign = suckerConfig.deployerConfigurations
    .flatMap(({ mappings }) => mappings)
    .find(({ localToken }) => !accepted.includes(localToken))
  if (foreign !== undefined)
    return yield* new SuckerTokenNotAccepted({ context: { localToken: foreign.localToken } })
})

const requireSuckerDeployers = ({ read }: PinnedSnapshot, { suckerConfig }: DeployInput) =>
  Effect.forEach(
    [...new Set(suckerConfig.deployerConfigurations.map(({ deployer }) => deployer))],
    deployer =>
      Effect.flatMap(
        read("JBSuckerRegistry", "suckerDeployerIsAllowed", [deployer], Schema.Boolean),
        isAllowed => (isAllowed ? Effect.void : new SuckerDeployerNotAllowed({ context: { deployer } }))
      ),
    AT_ONCE
  )

const sellingCurrencies = ({ config, tiered721Config }: DeployInput): ReadonlyArray<number> =>
  tiered721Config === undefined
    ? [config.baseCurrency]
    : [config.baseCurrency, tiered721Config.baseline.tiersConfig.currency]

/** One round trip. */
const readFacts = Effect.fn("Revnets.deployFacts")(function* (snapshot: PinnedSnapshot, input: DeployInput) {
  const answers = yield* eachAtOnce({
    dependencies: requireDependencies(snapshot),
    accounting: requireAccepted(snapshot, input.accountingContexts, sellingCurrencies(input)),
    suckers: requireSuckerDeployers(snapshot, input),
    fee: snapshot.read("JBProjects", "creationFee", [], Uint256)
  })
  yield* answers.dependencies
  yield* answers.accounting
  yield* answers.suckers
  const facts: DeployFacts = { creationFee: BigInt(yield* answers.fee) }
  return facts
})

const stageOf =
  (chainId: number) =>
  (
    { startsAtOrAfter, autoIssuances }: DeployInput["config"]["stageConfigurations"][number],
    index: number
  ) => {
    const here = autoIssuances.filter(issuance => issuance.chainId === chainId && issuance.count !== "0")
    return {
      index,
      startsAtOrAfter,
      autoIssuances: here.map(({ beneficiary, count }) => ({ beneficiary, count })),
      autoIssuancesElsewhere: autoIssuances.filter(issuance => issuance.chainId !== chainId).length
    }
  }

const shopOf = ({ config, tiered721Config, allowedPosts }: DeployInput) => {
  const { currency, decimals, tiers } = tiered721Config?.baseline.tiersConfig ?? {
    currency: config.baseCurrency,
    decimals: ETH_DECIMALS,
    tiers: []
  }
  return {
    configured: tiered721Config !== undefined,
    currency,
    decimals,
    tierCount: tiers.length,
    allowedPostCount: allowedPosts.length
  }
}

const deploySplitWarnings = ({ config, tiered721Config }: DeployInput, count: Observed<string>) => {
  const next = { count, own: "next" } as const
  const tiers = tiered721Config?.baseline.tiersConfig.tiers ?? []
  return [
    ...splitWarnings(
      config.stageConfigurations.flatMap(({ splits }) => splits),
      next,
      OF_STAGES
    ),
    ...splitWarnings(
      tiers.flatMap(({ splits }) => splits),
      next,
      OF_TIERS
    )
  ]
}

/** One round trip. */
const told = Effect.fnUntraced(function* (
  input: DeployInput,
  snapshot: PinnedSnapshot,
  { creationFee }: DeployFacts
) {
  const { chainId, config, accountingContexts, suckerConfig } = input
  const { timestamp } = snapshot.block
  const [first] = config.stageConfigurations
  const { delay, count } = yield* Effect.all(
    {
      delay: observed(snapshot.read("REVDeployer", "CASH_OUT_DELAY", [], Uint256)),
      count: observed(snapshot.read("JBProjects", "count", [], Uint256))
    },
    AT_ONCE
  )
  return {
    summary: {
      chainId,
      revnetId: null,
      revnetIdResolution: "From the receipt: the DeployRevnet event of REVDeployer names it.",
      owner: yield* snapshot.addressOf("REVOwner"),
      operator: config.operator,
      name: config.description.name,
      ticker: config.description.ticker,
      baseCurrency: config.baseCurrency,
      stages: config.stageConfigurations.map(stageOf(chainId)),
      stageIdResolution: "The time of the deployment's block in seconds, and the stage's index on top.",
      cashOutDelay: {
        seconds: delay,
        applies: first !== undefined && BigInt(first.startsAtOrAfter) < timestamp
      },
      accountingContextCount: accountingContexts.length,
      suckerCount: suckerConfig.deployerConfigurations.length,
      shop: shopOf(input),
      creationFeeWei: String(creationFee)
    },
    warnings: [...deployWarnings(input, timestamp), ...deploySplitWarnings(input, count)]
  }
})

export const runPrepareRevnetDeploy = definePlan(
  prepareRevnetDeploy,
  prepareRevnetDeployEffects,
  Effect.fnUntraced(function* (input, snapshot) {
    yield* requireConsistent(input)
    const facts = yield* readFacts(snapshot, input)
    return { calls: deployCalls(input, facts), told: told(input, snapshot, facts) }
  })
)
