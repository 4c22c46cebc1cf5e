/** A plan of one call that launches a project together with its shop. */

import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { DeploymentCodeMissing } from "../../../protocol/refusals.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { type Observed, observed } from "../../../values/Observed.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { launchedRulesetWarnings } from "../../configuration/LaunchedRulesets.ts"
import { OF_TIERS, splitWarnings } from "../../configuration/SplitWarnings.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { UnsupportedTerminal } from "../../shared/context/refusals.ts"
import { requireAccepted } from "../AcceptedTokens.ts"
import { Invalid721Deployer, NftReserveBeneficiaryRequired } from "../refusals.ts"
import { withoutReserveBeneficiary } from "../TierRules.ts"
import { prepare721Launch } from "./Declaration.ts"
import { prepare721LaunchEffects } from "./Effects.ts"
import { launchShopCalls, type ShopLaunchFacts } from "./LaunchShopCall.ts"
import { launchWarnings } from "./LaunchWarnings.ts"

type Input = typeof prepare721Launch.input.Type

const PROJECT_DEPLOYER = "JB721TiersHookProjectDeployer"
const HOOK_DEPLOYER = "JB721TiersHookDeployer"

/** What each getter of the deployers has to name. */
const dependenciesOf = ({ read }: PinnedSnapshot) =>
  [
    [PROJECT_DEPLOYER, "DIRECTORY", "JBDirectory", read(PROJECT_DEPLOYER, "DIRECTORY", [], Address)],
    [PROJECT_DEPLOYER, "HOOK_DEPLOYER", HOOK_DEPLOYER, read(PROJECT_DEPLOYER, "HOOK_DEPLOYER", [], Address)],
    [HOOK_DEPLOYER, "HOOK", "JB721TiersHook", read(HOOK_DEPLOYER, "HOOK", [], Address)],
    [HOOK_DEPLOYER, "STORE", "JB721TiersHookStore", read(HOOK_DEPLOYER, "STORE", [], Address)]
  ] as const

const requireDeployer = (snapshot: PinnedSnapshot) =>
  Effect.forEach(
    dependenciesOf(snapshot),
    Effect.fnUntraced(function* ([contract, getter, canonical, told]) {
      const expected = yield* snapshot.addressOf(canonical)
      const actual = yield* told
      if (actual !== expected)
        return yield* new Invalid721Deployer({ context: { contract, getter, actual, expected } })
    }),
    AT_ONCE
  )

const requireResolver = Effect.fnUntraced(function* ({ code }: PinnedSnapshot, resolver: Address) {
  if (resolver !== ZERO_ADDRESS && (yield* code(resolver)) === "0x")
    return yield* new DeploymentCodeMissing({ context: { address: resolver } })
})

const requireTerminals = Effect.fnUntraced(function* (
  { addressOf }: PinnedSnapshot,
  { terminalConfigurations }: Input
) {
  const canonical = yield* addressOf("JBMultiTerminal")
  const other = terminalConfigurations.find(({ terminal }) => terminal !== canonical)
  if (other !== undefined)
    return yield* new UnsupportedTerminal({ context: { terminal: other.terminal, expected: canonical } })
})

const requireTokens = (snapshot: PinnedSnapshot, input: Input) =>
  requireAccepted(
    snapshot,
    input.terminalConfigurations.flatMap(({ accountingContextsToAccept }) => accountingContextsToAccept),
    [
      ...input.rulesetConfigurations.map(({ metadata }) => metadata.baseCurrency),
      input.deployTiersHookConfig.tiersConfig.currency
    ]
  )

const requireReserves = ({ deployTiersHookConfig }: Input) => {
  const index = withoutReserveBeneficiary(deployTiersHookConfig.tiersConfig.tiers, ZERO_ADDRESS)
  return index < 0 ? Effect.void : new NftReserveBeneficiaryRequired({ context: { index } })
}

interface Facts extends ShopLaunchFacts {
  readonly count: Observed<string>
}

/** One round trip. */
const readFacts = Effect.fn("Shops.launchFacts")(function* (snapshot: PinnedSnapshot, input: Input) {
  yield* requireTerminals(snapshot, input)
  yield* requireReserves(input)
  const answers = yield* eachAtOnce({
    deployer: requireDeployer(snapshot),
    tokens: requireTokens(snapshot, input),
    resolver: requireResolver(snapshot, input.deployTiersHookConfig.tokenUriResolver),
    fee: snapshot.read("JBProjects", "creationFee", [], Uint256),
    count: observed(snapshot.read("JBProjects", "count", [], Uint256))
  })
  yield* answers.deployer
  yield* answers.tokens
  yield* answers.resolver
  const facts: Facts = {
    controller: yield* snapshot.addressOf("JBController"),
    creationFee: BigInt(yield* answers.fee),
    count: yield* answers.count
  }
  return facts
})

const summaryOf = Effect.fnUntraced(function* (
  { addressOf }: PinnedSnapshot,
  input: Input,
  { controller, creationFee }: ShopLaunchFacts
) {
  const { name, symbol, tiersConfig } = input.deployTiersHookConfig
  return {
    chainId: input.chainId,
    owner: input.owner,
    deployer: yield* addressOf(PROJECT_DEPLOYER),
    hookDeployer: yield* addressOf(HOOK_DEPLOYER),
    controller,
    name,
    symbol,
    projectUri: input.projectUri,
    pricing: { currency: tiersConfig.currency, decimals: tiersConfig.decimals },
    tierCount: tiersConfig.tiers.length,
    rulesetCount: input.rulesetConfigurations.length,
    terminalCount: input.terminalConfigurations.length,
    creationFeeWei: String(creationFee),
    projectId: null,
    projectIdResolution:
      "From the receipt: the Create event of JBProjects and the LaunchRulesets event of JBController name the same id.",
    hook: null,
    hookResolution:
      "From the receipt: the HookDeployed event of the hook deployer. The address depends on the salt and on who calls."
  }
})

export const runPrepare721Launch = definePlan(prepare721Launch, prepare721LaunchEffects, (input, snapshot) =>
  Effect.map(readFacts(snapshot, input), facts => ({
    calls: launchShopCalls(input, facts),
    told: Effect.map(summaryOf(snapshot, input, facts), summary => ({
      summary,
      warnings: [
        ...launchWarnings(input),
        ...launchedRulesetWarnings(input.rulesetConfigurations, snapshot, facts.count),
        ...splitWarnings(
          input.deployTiersHookConfig.tiersConfig.tiers.flatMap(({ splits }) => splits),
          { count: facts.count, own: "next" },
          OF_TIERS
        )
      ]
    }))
  }))
)
