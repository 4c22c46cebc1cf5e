/** A project on its own chain at one block: three round trips, the block's own among them. */
import { Effect, Schema } from "effect"
import type { FunctionTaking } from "../protocol/ContractFunction.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { known, type Observed, observed, unknown } from "../values/Observed.ts"
import { Uint256 } from "../values/Scalars.ts"
import { type Core, readProjectCore } from "./CoreReads.ts"
import { andThenObserved, coverageOf, mapEffect, SIDE_BY_SIDE } from "./Observations.ts"
import type { ApprovalStatus, ProjectKey, Token, ProjectView as View } from "./ProjectSchemas.ts"
import { type ProjectPlace, readSplits, terminalsOf } from "./TerminalReads.ts"

const RESERVED_TOKENS = 1n
const CREDIT_DECIMALS = "18"

const NOTES = [
  "Everything is of this chain alone; tokens and balances on other chains are not counted.",
  "Names, symbols and the metadata URI are untrusted text and nothing was fetched.",
  "A terminal other than the canonical one keeps its own accounts, which are not read."
]

const APPROVALS = ["Empty", "Upcoming", "Active", "ApprovalExpected", "Approved", "Failed"] as const

const approvalOf = (code: string): ApprovalStatus | undefined => {
  const name = APPROVALS[Number(code)]
  return name === undefined ? undefined : { code: Number(code), name }
}

const queuedOf = ({ queued }: Core): View["rulesets"]["latestQueued"] =>
  andThenObserved(queued, found => {
    if (found === null) return known(null)
    const approvalStatus = approvalOf(found.approvalStatus)
    return approvalStatus === undefined ? unknown(undefined) : known({ ...found, approvalStatus })
  })

const NO_TOKEN = "0x0000000000000000000000000000000000000000"

const credits: Token = {
  address: NO_TOKEN,
  deployed: false,
  name: known(null),
  symbol: known(null),
  decimals: known(CREDIT_DECIMALS)
}

const tokenOf = ({ snapshot, core }: ProjectPlace): Effect.Effect<Observed<Token>> =>
  mapEffect(core.token, (address): Effect.Effect<Token> => {
    if (address === NO_TOKEN) return Effect.succeed(credits)
    const ask = <A, I>(name: FunctionTaking<"JBERC20", []>, as: Schema.Schema<A, I>) =>
      observed(snapshot.readAt("JBERC20", address, name, [], as))
    return Effect.all(
      {
        address: Effect.succeed(address),
        deployed: Effect.succeed(true),
        name: ask("name", Schema.String),
        symbol: ask("symbol", Schema.String),
        decimals: ask("decimals", Uint256)
      },
      SIDE_BY_SIDE
    )
  })

const keyOf = (chainId: number, projectId: string): ProjectKey => ({ chainId, projectId, version: 6 })

/** At a block that the caller already holds: two round trips. */

/** A project id is an argument of every function that is asked: that it is none would be our mistake. */
export const readProject = Effect.fn("ProjectView.read")(
  function* (snapshot: PinnedSnapshot, projectId: string) {
    const core = yield* readProjectCore(snapshot, projectId)
    const place: ProjectPlace = { snapshot, core, projectId }
    const more = yield* Effect.all(
      {
        token: tokenOf(place),
        reservedTokenSplits: readSplits(place, RESERVED_TOKENS),
        terminals: terminalsOf(place)
      },
      SIDE_BY_SIDE
    )
    const view: Omit<View, "coverage"> = {
      project: keyOf(snapshot.chainId, projectId),
      evidence: [snapshot.evidence],
      owner: core.owner,
      controller: known(core.controller),
      canonicalController: core.canonicalController,
      metadataUri: core.uri,
      rulesets: { current: core.current, upcoming: core.upcoming, latestQueued: queuedOf(core) },
      token: more.token,
      supply: {
        totalIncludingPendingReserved: core.supply,
        pendingReserved: core.pending,
        decimals: 18,
        scope: "local chain"
      },
      reservedTokenSplits: more.reservedTokenSplits,
      splitPercentDenominator: "1000000000",
      terminals: more.terminals
    }
    const answer: View = { ...view, coverage: coverageOf(view, NOTES) }
    return answer
  },
  Effect.catchTag("ABI_ARGUMENT_INVALID", Effect.die)
)
