/** What of a project a ruleset change is compared with; every part that is not the current ruleset may be unknown. */
import { Effect, Schema } from "effect"
import { andThenObserved, mapEffect, mapObserved, readFrom } from "../../projects/Observations.ts"
import type { DependentCall } from "../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { AccountingContext, RulesetWithMetadata, Split } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { known, type Observed, observed, unknown } from "../../values/Observed.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf, readController } from "../shared/context/Core.ts"
import { APPROVALS, CurrencyAmount } from "./Records.ts"
import { ConfigurationTooLarge } from "./refusals.ts"

const MOST_TERMINALS = 32
const FORESEEN_TERMINALS = 4
const MOST_CONTEXTS = 32
const MOST_PAIRS = 128
export const MOST_RULESETS = 16
const RESERVED_TOKENS = "1"
const FALLBACK_RULESET = "0"
export const MAY_QUEUE_RULESETS = 2

const CurrencyAmounts = Schema.Array(CurrencyAmount)
const Rulesets = Schema.Array(RulesetWithMetadata)
const Contexts = Schema.Array(AccountingContext)
const Splits = Schema.Array(Split)

export interface AskedState {
  readonly projectId: string
  readonly account: Address
  readonly proposedGroups: ReadonlyArray<string>
}

type Contextual = Observed<ReadonlyArray<AccountingContext>>

export interface TerminalContexts {
  readonly terminal: Address
  readonly contexts: Contextual
}

interface Pair {
  readonly terminal: Address
  readonly token: Address
}

/** Behind the offset and the length of their list. */
const FIRST_TERMINAL = 2

/** The contexts of the terminals that the directory lists first. */
const contextCalls = (snapshot: PinnedSnapshot, projectId: string): ReadonlyArray<DependentCall> => {
  const directory = currentAddressOf(snapshot, "JBDirectory")
  if (directory === undefined) return []
  const words = [projectId]
  const ofTerminals = Array.from({ length: FORESEEN_TERMINALS }, (_, position) => ({
    to: { call: 0, index: FIRST_TERMINAL + position },
    signature: "accountingContextsOf(uint256)",
    words
  }))
  return [{ to: directory, signature: "terminalsOf(uint256)", words }, ...ofTerminals]
}

const firstQuestions = (snapshot: PinnedSnapshot, { projectId }: AskedState) => {
  const { read } = snapshot
  const all = [projectId, FALLBACK_RULESET, String(MOST_RULESETS + 1)] as const
  return {
    ahead: snapshot.foresee(contextCalls(snapshot, projectId)),
    controller: readController(snapshot, projectId),
    current: read("JBController", "currentRulesetOf", [projectId], RulesetWithMetadata),
    owner: observed(read("JBProjects", "ownerOf", [projectId], Address)),
    operator: observed(read("JBController", "OMNICHAIN_RULESET_OPERATOR", [], Address)),
    upcoming: observed(read("JBController", "upcomingRulesetOf", [projectId], RulesetWithMetadata)),
    latest: observed(read("JBController", "allRulesetsOf", all, Rulesets)),
    count: observed(read("JBProjects", "count", [], Uint256)),
    approval: observed(read("JBRulesets", "currentApprovalStatusForLatestRulesetOf", [projectId], Uint256)),
    terminals: observed(read("JBDirectory", "terminalsOf", [projectId], Schema.Array(Address))),
    contexts: observed(read("JBMultiTerminal", "accountingContextsOf", [projectId], Contexts))
  }
}

export type By = "owner" | "omnichain-operator" | "permission" | null

/** Whoever owns the project, or is the operator, is not asked for a permission. */
const authorityOf = (
  { read }: PinnedSnapshot,
  { account, projectId }: AskedState,
  owner: Observed<Address>,
  operator: Observed<Address>
): Effect.Effect<Observed<By>> => {
  if (owner.status === "known" && owner.value === account) return Effect.succeed(known("owner"))
  const isOperator = operator.status === "known" && operator.value === account && account !== ZERO_ADDRESS
  if (isOperator) return Effect.succeed(known("omnichain-operator"))
  const ids = [String(MAY_QUEUE_RULESETS)]
  return Effect.map(
    readFrom(owner, address =>
      read("JBPermissions", "hasPermissions", [account, address, projectId, ids, true, true], Schema.Boolean)
    ),
    granted =>
      andThenObserved(operator, () =>
        mapObserved(granted, (isGranted): By => (isGranted ? "permission" : null))
      )
  )
}

const tooMany = (what: string, count: number, limit: number) =>
  new ConfigurationTooLarge({
    detail: `The project has more ${what} than are compared.`,
    context: { count, limit }
  })

const requireAtMost = <A>(what: string, limit: number, list: Observed<ReadonlyArray<A>>) =>
  list.status === "known" && list.value.length > limit
    ? Effect.fail(tooMany(what, list.value.length, limit))
    : Effect.void

/** A terminal other than the canonical one is asked for its contexts itself. */
const contextsOf = Effect.fnUntraced(function* (
  { readAt, addressOf }: PinnedSnapshot,
  projectId: string,
  terminals: ReadonlyArray<Address>,
  canonical: Contextual
) {
  const multi = yield* observed(addressOf("JBMultiTerminal"))
  return yield* Effect.forEach(
    terminals,
    terminal =>
      multi.status === "known" && multi.value === terminal
        ? Effect.succeed<TerminalContexts>({ terminal, contexts: canonical })
        : Effect.map(
            observed(readAt("JBMultiTerminal", terminal, "accountingContextsOf", [projectId], Contexts)),
            (contexts): TerminalContexts => ({ terminal, contexts })
          ),
    AT_ONCE
  )
})

const limitsOf = ({ read }: PinnedSnapshot, projectId: string, rulesetId: string) => {
  const amounts = (name: "payoutLimitsOf" | "surplusAllowancesOf", { terminal, token }: Pair) =>
    observed(read("JBFundAccessLimits", name, [projectId, rulesetId, terminal, token], CurrencyAmounts))
  return (pair: Pair) =>
    Effect.all(
      {
        terminal: Effect.succeed(pair.terminal),
        token: Effect.succeed(pair.token),
        payoutLimits: amounts("payoutLimitsOf", pair),
        surplusAllowances: amounts("surplusAllowancesOf", pair)
      },
      AT_ONCE
    )
}

const splitsIn = ({ read }: PinnedSnapshot, projectId: string, rulesetId: string) => {
  const splits = (of: string, groupId: string) =>
    observed(read("JBSplits", "splitsOf", [projectId, of, groupId], Splits))
  return (groupId: string) =>
    Effect.all(
      {
        groupId: Effect.succeed(groupId),
        splits: splits(rulesetId, groupId),
        fallbackSplits: splits(FALLBACK_RULESET, groupId)
      },
      AT_ONCE
    )
}

export type CurrentGroup = Effect.Effect.Success<ReturnType<ReturnType<typeof splitsIn>>>
export type CurrentLimits = Effect.Effect.Success<ReturnType<ReturnType<typeof limitsOf>>>

const pairsIn = (terminals: ReadonlyArray<TerminalContexts>): Observed<ReadonlyArray<Pair>> =>
  terminals.reduce<Observed<ReadonlyArray<Pair>>>(
    (before, { terminal, contexts }) =>
      andThenObserved(before, pairs =>
        mapObserved(contexts, found => [...pairs, ...found.map(({ token }) => ({ terminal, token }))])
      ),
    known([])
  )

const groupOf = ({ token }: Pair): string => BigInt(token).toString()

/** One round trip. */
const accountsOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  { projectId, proposedGroups }: AskedState,
  rulesetId: string,
  terminals: Observed<ReadonlyArray<TerminalContexts>>
) {
  const pairs = andThenObserved(terminals, pairsIn)
  yield* requireAtMost("pairs of a terminal and a token", MOST_PAIRS, pairs)
  const groups = mapObserved(pairs, found => [
    ...new Set([RESERVED_TOKENS, ...found.map(groupOf), ...proposedGroups])
  ])
  return yield* Effect.all(
    {
      limits: mapEffect(pairs, found =>
        Effect.forEach(found, limitsOf(snapshot, projectId, rulesetId), AT_ONCE)
      ),
      splitGroups: mapEffect(groups, found =>
        Effect.forEach(found, splitsIn(snapshot, projectId, rulesetId), AT_ONCE)
      )
    },
    AT_ONCE
  )
})

/** Two round trips; a third one where a project has more terminals than are foreseen. */
export const readState = Effect.fn("Rulesets.state")(function* (snapshot: PinnedSnapshot, asked: AskedState) {
  const first = yield* eachAtOnce(firstQuestions(snapshot, asked))
  const controller = yield* first.controller
  const current = yield* first.current
  const owner = yield* first.owner
  const operator = yield* first.operator
  const listed = yield* first.terminals
  const canonical = yield* first.contexts
  yield* requireAtMost("terminals", MOST_TERMINALS, listed)
  const authority = authorityOf(snapshot, asked, owner, operator)
  const accounts = Effect.gen(function* () {
    const terminals = yield* mapEffect(listed, found =>
      contextsOf(snapshot, asked.projectId, found, canonical)
    )
    if (terminals.status === "known")
      for (const { contexts } of terminals.value)
        yield* requireAtMost("contexts of a terminal", MOST_CONTEXTS, contexts)
    return { terminals, ...(yield* accountsOf(snapshot, asked, current.ruleset.id, terminals)) }
  })
  const second = yield* Effect.all({ by: authority, accounts }, AT_ONCE)
  return {
    controller,
    current: current.ruleset.id === FALLBACK_RULESET ? null : current,
    upcoming: yield* first.upcoming,
    latest: yield* first.latest,
    approval: yield* first.approval,
    count: yield* first.count,
    by: second.by,
    ...second.accounts
  }
})

export type ProjectState = Effect.Effect.Success<ReturnType<typeof readState>>

export const approvalOf = (told: Observed<string>) =>
  andThenObserved(told, value => {
    const name = APPROVALS[Number(value)]
    return name === undefined
      ? unknown(undefined)
      : known({ value: Number(value), name, scope: "latest queued ruleset" as const })
  })
