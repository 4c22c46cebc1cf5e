/** A project's accounts at its terminals, in one round of reads. */
import { Effect, Schema } from "effect"
import { encodeFunctionData, parseAbi } from "viem"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { AccountingContext, type RulesetWithMetadata, Split } from "../protocol/ProjectRecords.ts"
import { known, type Observed, observed, unknown } from "../values/Observed.ts"
import { Address, type Hex, Uint256 } from "../values/Scalars.ts"
import type { Core } from "./CoreReads.ts"
import { type LimitsWithUse, type LimitWithUse, limitsWithUse } from "./LimitsProgram.ts"
import {
  andThenObserved,
  atMost,
  both,
  mapEffect,
  mapObserved,
  readFrom,
  SIDE_BY_SIDE
} from "./Observations.ts"
import type { Limit, Terminal, TokenAccount } from "./ProjectSchemas.ts"
import { NoActiveRuleset, ReadLimitExceeded, UnsupportedTerminalAccounting } from "./refusals.ts"

export const MOST_TERMINALS = 32
export const MOST_CONTEXTS = 32
const MOST_LIMITS = 32

const limitsAbi = parseAbi([
  "function payoutLimitsOf(uint256 projectId, uint256 rulesetId, address terminal, address token)",
  "function surplusAllowancesOf(uint256 projectId, uint256 rulesetId, address terminal, address token)",
  "function usedPayoutLimitOf(address terminal, uint256 projectId, address token, uint256 cycle, uint256 currency)",
  "function usedSurplusAllowanceOf(address terminal, uint256 projectId, address token, uint256 rulesetId, uint256 currency)"
])

type Active = typeof RulesetWithMetadata.Type

interface Kind {
  readonly limits: "payoutLimitsOf" | "surplusAllowancesOf"
  readonly used: "usedPayoutLimitOf" | "usedSurplusAllowanceOf"
  readonly resetScope: Limit["resetScope"]
  readonly scopeOf: (active: Active) => string
  readonly meaning: string
}

const PAYOUTS: Kind = {
  limits: "payoutLimitsOf",
  used: "usedPayoutLimitOf",
  resetScope: "ruleset-cycle",
  scopeOf: ({ ruleset }) => ruleset.cycleNumber,
  meaning: "the most that may be paid out to the splits and the owner within one cycle"
}

const ALLOWANCES: Kind = {
  limits: "surplusAllowancesOf",
  used: "usedSurplusAllowanceOf",
  resetScope: "ruleset",
  scopeOf: ({ ruleset }) => ruleset.id,
  meaning: "the most of the surplus that the owner may use while this ruleset lasts, over all of its cycles"
}

/** The current ruleset, or why nothing that hangs on one can be told. */
const activeOf = ({ current }: Pick<Core, "current">): Observed<Active> =>
  andThenObserved(current, active => (active === null ? unknown(new NoActiveRuleset()) : known(active)))

const withoutLastWord = (data: Hex): Hex => `0x${data.slice(2, -64)}`

export interface ProjectPlace {
  readonly snapshot: PinnedSnapshot
  readonly core: Core
  readonly projectId: string
}

const remaining = ({ amount, used }: LimitWithUse): Observed<string> => {
  if (used === undefined) return unknown(undefined)
  const left = BigInt(amount) - BigInt(used)
  return known((left > 0n ? left : 0n).toString())
}

const shown = (
  { count, rows }: LimitsWithUse,
  kind: Kind,
  scopeId: string,
  decimals: string
): Observed<ReadonlyArray<Limit>> => {
  if (count > MOST_LIMITS) return unknown(new ReadLimitExceeded({ context: { count, limit: MOST_LIMITS } }))
  return known(
    rows.map(row => ({
      configured: row.amount,
      currency: row.currency,
      decimals,
      used: row.used === undefined ? unknown(undefined) : known(row.used),
      remaining: remaining(row),
      resetScope: kind.resetScope,
      scopeId,
      meaning: kind.meaning
    }))
  )
}

const limitsOf = (
  { snapshot, core, projectId }: ProjectPlace,
  kind: Kind,
  terminal: Address,
  context: AccountingContext
) => {
  const active = activeOf(core)
  const told = readFrom(both(active, both(core.limits, core.store)), ([ruleset, [limits, store]]) => {
    const [id, token] = [BigInt(projectId), context.token]
    const scope = BigInt(kind.scopeOf(ruleset))
    const args = [id, BigInt(ruleset.ruleset.id), terminal, token] as const
    const used = [terminal, id, token, scope, 0n] as const
    return limitsWithUse(snapshot, {
      limits: [limits, encodeFunctionData({ abi: limitsAbi, functionName: kind.limits, args })],
      used: [
        store,
        withoutLastWord(encodeFunctionData({ abi: limitsAbi, functionName: kind.used, args: used }))
      ]
    })
  })
  return Effect.map(told, limits =>
    andThenObserved(both(active, limits), ([ruleset, found]) =>
      shown(found, kind, kind.scopeOf(ruleset), context.decimals)
    )
  )
}

/** Splits of a group in the current ruleset. */
export const readSplits = ({ snapshot, core, projectId }: ProjectPlace, group: bigint) =>
  readFrom(both(activeOf(core), core.splits), ([{ ruleset }, splits]) =>
    snapshot.readAt("JBSplits", splits, "splitsOf", [projectId, ruleset.id, group], Schema.Array(Split))
  )

/** The directory asks every terminal of the project, so the call goes alone: in company, a failure would cost another trip. */
const primaryTerminal = ({ snapshot, projectId }: ProjectPlace, token: Address) =>
  Effect.flatMap(snapshot.addressOf("JBDirectory"), directory =>
    snapshot.readAt("JBDirectory", directory, "primaryTerminalOf", [projectId, token], Address)
  )

const accountOf = (
  place: ProjectPlace,
  terminal: Address,
  context: AccountingContext
): Effect.Effect<TokenAccount> => {
  const { snapshot, core, projectId } = place
  const { token, decimals, currency } = context
  const at = [projectId, [token], decimals, currency] as const
  return Effect.all(
    {
      token: Effect.succeed(token),
      decimals: Effect.succeed(decimals),
      currency: Effect.succeed(currency),
      balance: readFrom(core.store, store =>
        snapshot.readAt("JBTerminalStore", store, "balanceOf", [terminal, projectId, token], Uint256)
      ),
      surplus: observed(snapshot.readAt("JBMultiTerminal", terminal, "currentSurplusOf", at, Uint256)),
      primaryTerminal: observed(primaryTerminal(place, token)),
      payoutLimits: limitsOf(place, PAYOUTS, terminal, context),
      surplusAllowances: limitsOf(place, ALLOWANCES, terminal, context),
      payoutSplits: readSplits(place, BigInt(token))
    },
    SIDE_BY_SIDE
  )
}

const foreign = (terminal: Address) => unknown(new UnsupportedTerminalAccounting({ context: { terminal } }))

const foreignAccount = (
  { token, decimals, currency }: AccountingContext,
  terminal: Address
): TokenAccount => ({
  token,
  decimals,
  currency,
  balance: foreign(terminal),
  surplus: foreign(terminal),
  primaryTerminal: foreign(terminal),
  payoutLimits: foreign(terminal),
  surplusAllowances: foreign(terminal),
  payoutSplits: foreign(terminal)
})

const foreignTerminal = (
  { snapshot, projectId }: ProjectPlace,
  address: Address
): Effect.Effect<Terminal> => {
  const contexts = Schema.Array(AccountingContext)
  const told = snapshot.readAt("JBMultiTerminal", address, "accountingContextsOf", [projectId], contexts)
  return Effect.map(observed(told), found => ({
    address,
    accountingStore: foreign(address),
    contexts: mapObserved(atMost(MOST_CONTEXTS, found), items =>
      items.map(context => foreignAccount(context, address))
    )
  }))
}

const ownTerminal = (place: ProjectPlace, address: Address): Effect.Effect<Terminal> => {
  const { contexts, store } = place.core
  const accounts = mapEffect(atMost(MOST_CONTEXTS, contexts), items =>
    Effect.forEach(items, context => accountOf(place, address, context), SIDE_BY_SIDE)
  )
  return Effect.map(accounts, found => ({ address, accountingStore: store, contexts: found }))
}

export const terminalsOf = (place: ProjectPlace): Effect.Effect<Observed<ReadonlyArray<Terminal>>> => {
  const { multiTerminal, terminals } = place.core
  const isOwn = (address: Address) => multiTerminal.status === "known" && multiTerminal.value === address
  const read = (address: Address) =>
    isOwn(address) ? ownTerminal(place, address) : foreignTerminal(place, address)
  return mapEffect(atMost(MOST_TERMINALS, terminals), items => Effect.forEach(items, read, SIDE_BY_SIDE))
}
