import { ZERO_ADDRESS } from "../../../values/Scalars.ts"
import type { DeployInput } from "./DeployCalls.ts"

const SPLITS_TOTAL = 1_000_000_000
const INHERIT = "1"

const GENERAL = [
  "REVOwner will own the revnet; neither the planned wallet nor the operator ever does.",
  "All stages are queued by this one call; none can be changed, added or taken back afterwards.",
  "The revnet's id is not known before the deployment is mined: whoever creates a project first gets the next one.",
  "The creation fee can change before the deployment is mined; the call then reverts."
]

const SUCKERS = [
  "Revnets of several chains become one only where the same wallet deploys each with the same configuration: the addresses of their suckers follow from both.",
  "The configuration's hash covers the base currency, whether cash-outs are scoped to local balances, the name, the ticker, the salt, what each stage sets besides its splits, and every automatic issuance above zero of every chain; it leaves out splits, operator, URI and accepted tokens.",
  "A sucker moves nothing before its peer has been deployed on the other chain."
]

type Conditions = ReadonlyArray<readonly [boolean, string]>

const said = (conditions: Conditions): ReadonlyArray<string> =>
  conditions.filter(([holds]) => holds).map(([, what]) => what)

type Stage = DeployInput["config"]["stageConfigurations"][number]

interface StageWarning {
  readonly words: string
  readonly holds: (stage: Stage, before: Stage | undefined) => boolean
}

const STAGE_WARNINGS: ReadonlyArray<StageWarning> = [
  {
    words: "the start is that of the first cycle of the stage before at or after the given time.",
    holds: (_, before) => (before?.issuanceCutFrequency ?? 0) > 0
  },
  { words: "payments issue no tokens.", holds: ({ initialIssuance }) => initialIssuance === "0" },
  {
    words: "an issuance of 1 is inherited from the stage before, cut as often as its cycles passed.",
    holds: ({ initialIssuance }, before) => initialIssuance === INHERIT && before !== undefined
  },
  {
    words: "what splits leave of the reserved tokens goes to REVOwner, where nobody can use it.",
    holds: ({ splitPercent, splits }) =>
      splitPercent > 0 && splits.reduce((sum, { percent }) => sum + percent, 0) < SPLITS_TOTAL
  },
  {
    words: "split hooks receive tokens; what they do with them is their own.",
    holds: ({ splits }) => splits.some(({ hook }) => hook !== ZERO_ADDRESS)
  }
]

/** One for all stages, so that none is lost behind the most warnings that a plan holds. */
const stageWarnings = (stages: ReadonlyArray<Stage>): ReadonlyArray<string> =>
  STAGE_WARNINGS.flatMap(({ words, holds }) => {
    const found = stages.flatMap((stage, index) => (holds(stage, stages[index - 1]) ? [index] : []))
    return found.length === 0 ? [] : [`Stage${found.length > 1 ? "s" : ""} ${found.join(", ")}: ${words}`]
  })

const delayWarning = (startsAtOrAfter: string, now: bigint) =>
  BigInt(startsAtOrAfter) < now
    ? "The first stage has started: tokens cannot be cashed out, nor loans be taken, before the cash-out delay is over."
    : "Where the deployment is mined after the first stage's start, cash-outs and loans wait for the cash-out delay."

export const deployWarnings = (input: DeployInput, now: bigint): ReadonlyArray<string> => {
  const { chainId, account, config, suckerConfig, tiered721Config, allowedPosts } = input
  const [first] = config.stageConfigurations
  const issuances = config.stageConfigurations.flatMap(({ autoIssuances }) => autoIssuances)
  return [
    ...GENERAL,
    ...(first === undefined ? [] : [delayWarning(first.startsAtOrAfter, now)]),
    ...said([
      [
        config.operator === ZERO_ADDRESS,
        "Without an operator nobody can ever change splits, pools or the URI."
      ],
      [
        config.operator !== account && config.operator !== ZERO_ADDRESS,
        "The planned wallet pays for the deployment and gets no permission for the revnet."
      ],
      [
        issuances.some(issuance => issuance.chainId === chainId),
        "Anyone can have an automatic issuance made to its beneficiary once its stage has started."
      ],
      [
        issuances.some(issuance => issuance.chainId !== chainId),
        "Automatic issuances of other chains are part of the configuration and cannot be made on this one."
      ],
      [
        tiered721Config === undefined,
        "Without a shop of its own the revnet gets an empty one, which sells for the base currency with 18 decimals."
      ],
      [allowedPosts.length > 0, "The allowed posts let others add tiers to the shop within the given bounds."]
    ]),
    ...(suckerConfig.deployerConfigurations.length === 0 ? [] : SUCKERS),
    ...stageWarnings(config.stageConfigurations)
  ]
}
