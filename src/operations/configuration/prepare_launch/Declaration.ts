import { Schema } from "effect"
import { Address, ChainId, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import {
  MOST_QUEUED,
  RulesetConfiguration,
  TerminalConfigurations
} from "../../shared/inputs/Configuration.ts"
import { list, Memo, SomeAddress, Uri } from "../../shared/inputs/Parts.ts"

const Rulesets = list(RulesetConfiguration, MOST_QUEUED, 1)

interface Limited {
  readonly rulesetConfigurations: ReadonlyArray<{
    readonly fundAccessLimitGroups: ReadonlyArray<{ readonly terminal: string; readonly token: string }>
  }>
  readonly terminalConfigurations: ReadonlyArray<{
    readonly terminal: string
    readonly accountingContextsToAccept: ReadonlyArray<{ readonly token: string }>
  }>
}

const isAccepted = ({ rulesetConfigurations, terminalConfigurations }: Limited): boolean => {
  const accepted = terminalConfigurations.flatMap(({ terminal, accountingContextsToAccept }) =>
    accountingContextsToAccept.map(({ token }) => terminal + token)
  )
  return rulesetConfigurations
    .flatMap(({ fundAccessLimitGroups }) => fundAccessLimitGroups)
    .every(({ terminal, token }) => accepted.includes(terminal + token))
}

const limitsOnlyWhereAccepted = <A extends Limited, I>(launch: Schema.Schema<A, I>) =>
  launch.pipe(
    Schema.filter(isAccepted, {
      jsonSchema: {},
      message: () => "fund access limits only of terminals and tokens that the launch accepts"
    })
  )

const checksummed = Schema.typeSchema(Address)

export const prepareLaunch = declarePlan({
  id: "prepare_launch",
  plan: "launch",
  sources: ["onchain"],
  title: "Prepare a launch",
  description: "Plans the launch of a project with its rulesets and terminals.",
  input: strict({
    chainId: ChainId,
    account: Address,
    owner: SomeAddress,
    composition: Schema.Literal("core"),
    projectUri: Uri,
    rulesetConfigurations: Rulesets,
    terminalConfigurations: TerminalConfigurations,
    memo: Memo
  }).pipe(limitsOnlyWhereAccepted),
  summary: strict({
    chainId: ChainId,
    owner: checksummed,
    composition: Schema.Literal("core"),
    projectUri: Schema.String,
    rulesetCount: Schema.Int,
    terminalCount: Schema.Int,
    creationFeeWei: Uint256,
    projectId: Schema.Null,
    projectIdResolution: Schema.String
  }).annotations({ identifier: "LaunchSummary" }),
  problems: ["DEPLOYMENT_UNAVAILABLE"]
})
