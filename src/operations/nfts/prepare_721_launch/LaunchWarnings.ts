import { ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { configurationWarnings } from "../../configuration/ChangeWarnings.ts"
import { tierWarnings } from "../AdjustmentWarnings.ts"
import type { prepare721Launch } from "./Declaration.ts"

type Input = typeof prepare721Launch.input.Type
type Configuration = Input["rulesetConfigurations"][number]

const GENERAL = [
  "Neither the project's id nor the address of its hook is known before the launch is mined: whoever launches first gets the next id.",
  "From then on only the owner, and whom the owner permits, controls the project and its shop; make sure that the owner can sign.",
  "A launch makes a project on this chain alone; a launch on another chain makes a project and a shop of its own.",
  "Every configured ruleset sends payments past the shop; a ruleset that is queued later sells nothing unless it names the hook too.",
  "The shop's currency, decimals and flags are fixed for good; flags against new tiers do not bind the tiers of this launch.",
  "Names and URIs are taken as they are; the service fetches none of them.",
  "The creation fee can change before the launch is mined; the call then reverts."
]

const limitsWithoutEffect = ({ rulesetConfigurations, terminalConfigurations }: Input): boolean => {
  const accepted = terminalConfigurations.flatMap(({ terminal, accountingContextsToAccept }) =>
    accountingContextsToAccept.map(({ token }) => terminal + token)
  )
  return rulesetConfigurations.some(({ fundAccessLimitGroups }) =>
    fundAccessLimitGroups.some(({ terminal, token }) => !accepted.includes(terminal + token))
  )
}

const CONDITIONS: ReadonlyArray<readonly [(input: Input) => boolean, string]> = [
  [
    ({ account, owner }) => owner !== account,
    "The planned wallet pays for the launch and does not own the project."
  ],
  [
    ({ terminalConfigurations }) => terminalConfigurations.length === 0,
    "Without a terminal nobody can pay the project until one is added."
  ],
  [limitsWithoutEffect, "Limits of a terminal or token that the launch does not accept have no effect."],
  [
    ({ deployTiersHookConfig }) => deployTiersHookConfig.tiersConfig.tiers.length === 0,
    "The shop starts without tiers."
  ],
  [
    ({ deployTiersHookConfig }) => deployTiersHookConfig.flags.preventOverspending,
    "The shop refuses payments of more than its prices, also those that ask for no tier."
  ],
  [
    ({ deployTiersHookConfig }) => deployTiersHookConfig.tokenUriResolver !== ZERO_ADDRESS,
    "A resolver of the owner's choice tells the URIs of tokens; nothing is said about it."
  ],
  [
    ({ rulesetConfigurations }) =>
      rulesetConfigurations.some(({ metadata }) => metadata.useDataHookForCashOut),
    "Where the shop decides on cash outs too, its tokens are cashed out and the project's own tokens are not."
  ],
  [
    ({ rulesetConfigurations }) => rulesetConfigurations.some(({ metadata }) => metadata.pausePay),
    "A ruleset pauses payments, and with them all sales."
  ]
]

/** As the deployer completes it. */
const withHook = ({ metadata, ...configuration }: Configuration) => ({
  ...configuration,
  metadata: { ...metadata, useDataHookForPay: true, dataHook: ZERO_ADDRESS }
})

export const launchWarnings = (input: Input): ReadonlyArray<string> => [
  ...GENERAL,
  ...CONDITIONS.flatMap(([holds, what]) => (holds(input) ? [what] : [])),
  ...tierWarnings(input.deployTiersHookConfig.tiersConfig.tiers, 1n),
  ...configurationWarnings(input.rulesetConfigurations.map(withHook))
]
