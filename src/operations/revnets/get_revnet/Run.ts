/** A verified revnet with its stages; two round trips, because nothing that is asked waits for an answer. */
import { Effect, Either, Schema } from "effect"
import { PinnedContracts, type PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { RulesetWithMetadata, wasQueued } from "../../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { observed, unknown } from "../../../values/Observed.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { InvalidRevnetIdentity, InventoryNotEnumerated } from "../refusals.ts"
import { verifyStartedOrNot } from "../VerifyRevnet.ts"
import { getRevnet } from "./Declaration.ts"

type Input = typeof getRevnet.input.Type

const COVERAGE = [
  "Stages come from the last queued one backwards; the ruleset of each stage is its own.",
  "Automatic issuances are kept for a stage and a beneficiary together and are not listed by the contracts.",
  "Every value is of the one block in evidence."
]

const DENOMINATORS = {
  reservedPercent: 10_000,
  cashOutTaxRate: 10_000,
  weightCutPercent: 1_000_000_000,
  splitPercent: 1_000_000_000
} as const

const notListed = (detail: string) => new InventoryNotEnumerated({ detail })

const NO_OPERATOR = notListed("The contracts do not list operators; name the one to ask for.")
const NO_AUTO_ISSUANCE = notListed("The contracts keep automatic issuances by stage and beneficiary.")

const stagesOf = ({ startingId, size }: Input, rulesets: ReadonlyArray<RulesetWithMetadata>) => {
  const basedOnId = rulesets.at(-1)?.ruleset.basedOnId ?? "0"
  const isLast = rulesets.length < size || basedOnId === "0"
  return {
    items: rulesets.map(({ ruleset, metadata }) => ({ stageId: ruleset.id, ruleset, metadata })),
    pagination: { startingId, size, returned: rulesets.length, nextStartingId: isLast ? null : basedOnId }
  }
}

const operatorOf = ({ read }: PinnedSnapshot, { project: { projectId }, operator }: Input) =>
  operator === undefined
    ? NO_OPERATOR
    : Effect.map(read("REVOwner", "isOperatorOf", [projectId, operator], Schema.Boolean), isOperator => ({
        address: operator,
        isOperator
      }))

const questions = (snapshot: PinnedSnapshot, input: Input) => {
  const { read } = snapshot
  const { projectId } = input.project
  const rulesets = read(
    "JBController",
    "allRulesetsOf",
    [projectId, input.startingId, String(input.size)],
    Schema.Array(RulesetWithMetadata)
  )
  return {
    revnet: verifyStartedOrNot(snapshot, projectId),
    deployer: read("REVOwner", "deployer", [], Address),
    stages: Effect.map(rulesets, found => stagesOf(input, found.filter(wasQueued))),
    operator: operatorOf(snapshot, input),
    delay: read("REVOwner", "cashOutDelayOf", [projectId], Uint256),
    hook: read("REVOwner", "tiered721HookOf", [projectId], Address)
  }
}

export const runGetRevnet = defineOperation(getRevnet, input =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(input.project.chainId)
    const answers = yield* eachAtOnce(questions(snapshot, input))
    const { configurationHash, owner, loans, current } = yield* answers.revnet
    const deployer = yield* answers.deployer
    const expected = yield* snapshot.addressOf("REVDeployer")
    if (deployer !== expected) return yield* new InvalidRevnetIdentity({ context: { deployer, expected } })
    const delay = Either.map(answers.delay, until => ({
      until,
      active: BigInt(until) > snapshot.block.timestamp
    }))
    return {
      project: input.project,
      configurationHash,
      owner,
      deployer,
      loans,
      currentStageId: wasQueued(current) ? current.ruleset.id : null,
      stages: yield* observed(answers.stages),
      operator: yield* observed(answers.operator),
      cashOutDelay: yield* observed(delay),
      hook: yield* observed(Either.map(answers.hook, hook => (hook === ZERO_ADDRESS ? null : hook))),
      autoIssuance: unknown(NO_AUTO_ISSUANCE),
      denominators: DENOMINATORS,
      evidence: [snapshot.evidence],
      coverage: COVERAGE
    }
  })
)
