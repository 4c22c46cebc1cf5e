/** What an account holds of a project, as credits and as tokens. */
import { Effect, type Either } from "effect"
import { coverageOf } from "../../../projects/Observations.ts"
import { UnsupportedConfiguration } from "../../../projects/refusals.ts"
import { PinnedContracts, type PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { observed, unknown } from "../../../values/Observed.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { InventoryNotEnumerated } from "../../revnets/refusals.ts"
import { readController } from "../../shared/context/Core.ts"
import { getPosition } from "./Declaration.ts"

const NOTES = [
  "Everything is of this chain alone; tokens on other chains and collateral of loans are not counted.",
  "The three balances are reported as they were read; the total is that of credits and tokens.",
  "NFTs and loans of an account are not listed by the contracts."
]

const NOT_LISTED = unknown(new InventoryNotEnumerated())

const questions = (snapshot: PinnedSnapshot, projectId: string, account: Address) => {
  const { read } = snapshot
  return {
    controller: readController(snapshot, projectId),
    tokens: read("JBController", "TOKENS", [], Address),
    credits: read("JBTokens", "creditBalanceOf", [account, projectId], Uint256),
    total: read("JBTokens", "totalBalanceOf", [account, projectId], Uint256),
    token: read("JBTokens", "tokenOf", [projectId], Address)
  }
}

const erc20BalanceOf = ({ readAt }: PinnedSnapshot, token: Address, account: Address) =>
  token === ZERO_ADDRESS ? Effect.succeed(null) : readAt("JBERC20", token, "balanceOf", [account], Uint256)

export const runGetPosition = defineOperation(getPosition, ({ project, account }) =>
  Effect.gen(function* () {
    const { projectId } = project
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(project.chainId)
    const answers = yield* eachAtOnce(questions(snapshot, projectId, account))
    yield* answers.controller
    const kept = yield* snapshot.addressOf("JBTokens")
    const areKept = Effect.filterOrFail(
      answers.tokens,
      tokens => tokens === kept,
      tokens => new UnsupportedConfiguration({ context: { tokens } })
    )
    /** JBTokens was asked before it was known to be the controller's. */
    const trusted = <A, E>(told: Either.Either<A, E>) => Effect.zipRight(areKept, told)
    const token = trusted(answers.token)
    const view = {
      credits: yield* observed(trusted(answers.credits)),
      erc20Balance: yield* observed(
        Effect.flatMap(token, address => erc20BalanceOf(snapshot, address, account))
      ),
      totalBalance: yield* observed(trusted(answers.total)),
      token: yield* observed(token),
      decimals: 18 as const,
      nfts: NOT_LISTED,
      loans: NOT_LISTED
    }
    return { project, account, evidence: [snapshot.evidence], ...view, coverage: coverageOf(view, NOTES) }
  })
)
