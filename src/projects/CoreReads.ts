/** The first round of reads of a project: everything that needs no more than its id. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot, ReadFailure } from "../protocol/PinnedContracts.ts"
import {
  AccountingContext,
  Ruleset,
  RulesetMetadata,
  RulesetWithMetadata
} from "../protocol/ProjectRecords.ts"
import { type Observed, observed } from "../values/Observed.ts"
import { Address, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { andThen, map, provided } from "./Observations.ts"
import { makeRound, type Round } from "./Round.ts"
import { ProjectNotFound, UnsupportedConfiguration, UnsupportedController } from "./refusals.ts"

const Queued = strict({ ruleset: Ruleset, metadata: RulesetMetadata, approvalStatus: Uint256 })

type ActiveRuleset = typeof RulesetWithMetadata.Type | null
type QueuedRuleset = typeof Queued.Type | null

export interface Core {
  readonly owner: Observed<Address>
  readonly controller: Address
  readonly canonicalController: boolean
  readonly terminals: Observed<ReadonlyArray<Address>>
  readonly uri: Observed<string>
  readonly current: Observed<ActiveRuleset>
  readonly upcoming: Observed<ActiveRuleset>
  readonly queued: Observed<QueuedRuleset>
  readonly token: Observed<Address>
  readonly supply: Observed<string>
  readonly pending: Observed<string>
  readonly limits: Observed<Address>
  readonly splits: Observed<Address>
  /** The canonical terminal, where the chain has one. */
  readonly multiTerminal: Observed<Address>
  readonly store: Observed<Address>
  readonly contexts: Observed<ReadonlyArray<AccountingContext>>
}

const NOBODY = "0x0000000000000000000000000000000000000000"

const orNone = <A extends { readonly ruleset: Ruleset }>(told: Observed<A>): Observed<A | null> =>
  map(told, found => (found.ruleset.id === "0" ? null : found))

const asked = (snapshot: PinnedSnapshot, round: Round<ReadFailure>, projectId: string) => {
  const read = <A, I>(contract: string, name: string, as: Schema.Schema<A, I>) =>
    snapshot.read(contract, name, [projectId], as)
  const ask = <A, I>(contract: string, name: string, as: Schema.Schema<A, I>) =>
    round.ask(read(contract, name, as))
  const constant = (contract: string, name: string) => round.ask(snapshot.read(contract, name, [], Address))
  return {
    owner: ask("JBProjects", "ownerOf", Address),
    controller: round.need(read("JBDirectory", "controllerOf", Address)),
    terminals: ask("JBDirectory", "terminalsOf", Schema.Array(Address)),
    uri: ask("JBController", "uriOf", Schema.String),
    current: ask("JBController", "currentRulesetOf", RulesetWithMetadata),
    upcoming: ask("JBController", "upcomingRulesetOf", RulesetWithMetadata),
    queued: ask("JBController", "latestQueuedRulesetOf", Queued),
    supply: ask("JBController", "totalTokenSupplyWithReservedTokensOf", Uint256),
    pending: ask("JBController", "pendingReservedTokenBalanceOf", Uint256),
    tokens: constant("JBController", "TOKENS"),
    limits: constant("JBController", "FUND_ACCESS_LIMITS"),
    splits: constant("JBController", "SPLITS"),
    token: ask("JBTokens", "tokenOf", Address),
    store: constant("JBMultiTerminal", "STORE"),
    contexts: ask("JBMultiTerminal", "accountingContextsOf", Schema.Array(AccountingContext))
  }
}

type Asked = ReturnType<typeof asked>

const isAbsent = (owner: Observed<Address>, controller: Address): boolean =>
  controller === NOBODY && owner.status === "unknown" && owner.error.code === "CALL_REVERTED"

/** The tokens contract was asked before it was known to be the controller's. */
const tokenOf = ({ token, tokens }: Asked, canonical: Observed<Address>): Observed<Address> =>
  andThen(tokens(), told =>
    andThen(canonical, address =>
      provided(told === address, token(), () => new UnsupportedConfiguration({ context: { tokens: told } }))
    )
  )

export const readCore = Effect.fn("ProjectView.core")(function* (
  snapshot: PinnedSnapshot,
  projectId: string
) {
  const round = makeRound<ReadFailure>()
  const told = asked(snapshot, round, projectId)
  const canonical = (contract: string) => observed(snapshot.addressOf(contract))
  const [trusted, tokens, multiTerminal] = yield* Effect.all([
    canonical("JBController"),
    canonical("JBTokens"),
    canonical("JBMultiTerminal")
  ])
  yield* round.run
  const [owner, controller] = [told.owner(), told.controller()]
  const { chainId } = snapshot
  if (isAbsent(owner, controller)) return yield* new ProjectNotFound({ context: { chainId, projectId } })
  const canonicalController = trusted.status === "known" && trusted.value === controller
  const trusting = <A>(value: Observed<A>): Observed<A> =>
    provided(canonicalController, value, () => new UnsupportedController({ context: { controller } }))
  const core: Core = {
    owner,
    controller,
    canonicalController,
    terminals: told.terminals(),
    uri: trusting(told.uri()),
    current: trusting(orNone(told.current())),
    upcoming: trusting(orNone(told.upcoming())),
    queued: trusting(orNone(told.queued())),
    token: trusting(tokenOf(told, tokens)),
    supply: trusting(told.supply()),
    pending: trusting(told.pending()),
    limits: trusting(told.limits()),
    splits: trusting(told.splits()),
    multiTerminal,
    store: told.store(),
    contexts: told.contexts()
  }
  return core
})
