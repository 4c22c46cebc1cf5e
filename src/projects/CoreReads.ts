/** The first round of reads of a project: everything that needs no more than its id. */
import { Effect, Schema } from "effect"
import type { ContractName } from "../protocol/ContractFunction.ts"
import type { DependentCall, Word } from "../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { AccountingContext, Ruleset, RulesetWithMetadata } from "../protocol/ProjectRecords.ts"
import { RulesetMetadata } from "../protocol/RulesetMetadata.ts"
import { type Observed, observed } from "../values/Observed.ts"
import { Address, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { andThenObserved, both, mapObserved, provided, SIDE_BY_SIDE } from "./Observations.ts"
import {
  ProjectNotFound,
  ProjectWithoutController,
  UnsupportedConfiguration,
  UnsupportedController
} from "./refusals.ts"

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
  mapObserved(told, found => (found.ruleset.id === "0" ? null : found))

const askedOf = (snapshot: PinnedSnapshot, projectId: string) => {
  const { read } = snapshot
  return Effect.all(
    {
      owner: observed(read("JBProjects", "ownerOf", [projectId], Address)),
      controller: read("JBDirectory", "controllerOf", [projectId], Address),
      terminals: observed(read("JBDirectory", "terminalsOf", [projectId], Schema.Array(Address))),
      uri: observed(read("JBController", "uriOf", [projectId], Schema.String)),
      current: observed(read("JBController", "currentRulesetOf", [projectId], RulesetWithMetadata)),
      upcoming: observed(read("JBController", "upcomingRulesetOf", [projectId], RulesetWithMetadata)),
      queued: observed(read("JBController", "latestQueuedRulesetOf", [projectId], Queued)),
      supply: observed(read("JBController", "totalTokenSupplyWithReservedTokensOf", [projectId], Uint256)),
      pending: observed(read("JBController", "pendingReservedTokenBalanceOf", [projectId], Uint256)),
      tokens: observed(read("JBController", "TOKENS", [], Address)),
      limits: observed(read("JBController", "FUND_ACCESS_LIMITS", [], Address)),
      splits: observed(read("JBController", "SPLITS", [], Address)),
      token: observed(read("JBTokens", "tokenOf", [projectId], Address)),
      store: observed(read("JBMultiTerminal", "STORE", [], Address)),
      contexts: observed(
        read("JBMultiTerminal", "accountingContextsOf", [projectId], Schema.Array(AccountingContext))
      ),
      canonical: Effect.all({
        controller: observed(snapshot.addressOf("JBController")),
        tokens: observed(snapshot.addressOf("JBTokens")),
        terminal: observed(snapshot.addressOf("JBMultiTerminal"))
      })
    },
    SIDE_BY_SIDE
  )
}

const OF_PROJECT: ReadonlyArray<readonly [contract: ContractName, ...names: ReadonlyArray<string>]> = [
  ["JBProjects", "ownerOf"],
  ["JBDirectory", "controllerOf", "terminalsOf"],
  [
    "JBController",
    "uriOf",
    "currentRulesetOf",
    "upcomingRulesetOf",
    "latestQueuedRulesetOf",
    "totalTokenSupplyWithReservedTokensOf",
    "pendingReservedTokenBalanceOf"
  ],
  ["JBTokens", "tokenOf"],
  ["JBMultiTerminal", "accountingContextsOf"]
]

const OF_CONTRACT: typeof OF_PROJECT = [
  ["JBController", "TOKENS", "FUND_ACCESS_LIMITS", "SPLITS"],
  ["JBMultiTerminal", "STORE"]
]

/** The same reads, of a project whose id another contract answers. */
export const coreCalls = (
  { deploymentsOf }: PinnedSnapshot,
  projectId: Word
): ReadonlyArray<DependentCall> => {
  const callsOf = (asked: typeof OF_PROJECT, parameters: string, words: ReadonlyArray<Word>) =>
    asked.flatMap(([contract, ...names]) => {
      const to = deploymentsOf(contract).find(({ retired, clone }) => !retired && !clone)?.address
      return to === undefined ? [] : names.map(name => ({ to, signature: `${name}${parameters}`, words }))
    })
  return [...callsOf(OF_PROJECT, "(uint256)", [projectId]), ...callsOf(OF_CONTRACT, "()", [])]
}

type Asked = Effect.Effect.Success<ReturnType<typeof askedOf>>

const isAbsent = (owner: Observed<Address>, controller: Address): boolean =>
  controller === NOBODY && owner.status === "unknown" && owner.error.code === "CALL_REVERTED"

/** The tokens contract was asked before it was known to be the controller's. */
const tokenOf = ({ canonical, token, tokens }: Asked): Observed<Address> =>
  andThenObserved(both(tokens, canonical.tokens), ([told, trusted]) =>
    provided(told === trusted, token, () => new UnsupportedConfiguration({ context: { tokens: told } }))
  )

export const readProjectCore = Effect.fn("ProjectView.core")(function* (
  snapshot: PinnedSnapshot,
  projectId: string
) {
  const asked = yield* askedOf(snapshot, projectId)
  const { canonical, controller, owner } = asked
  const { chainId } = snapshot
  if (isAbsent(owner, controller)) return yield* new ProjectNotFound({ context: { chainId, projectId } })
  const canonicalController =
    canonical.controller.status === "known" && canonical.controller.value === controller
  const trusting = <A>(value: Observed<A>): Observed<A> =>
    provided(canonicalController, value, () =>
      controller === NOBODY
        ? new ProjectWithoutController({ context: { projectId } })
        : new UnsupportedController({ context: { controller } })
    )
  const core: Core = {
    owner,
    controller,
    canonicalController,
    terminals: asked.terminals,
    uri: trusting(asked.uri),
    current: trusting(orNone(asked.current)),
    upcoming: trusting(orNone(asked.upcoming)),
    queued: trusting(orNone(asked.queued)),
    token: trusting(tokenOf(asked)),
    supply: trusting(asked.supply),
    pending: trusting(asked.pending),
    limits: trusting(asked.limits),
    splits: trusting(asked.splits),
    multiTerminal: canonical.terminal,
    store: asked.store,
    contexts: asked.contexts
  }
  return core
})
