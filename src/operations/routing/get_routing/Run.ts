/** What stands between a payment and a project. Three round trips. */
import { Effect, Either } from "effect"
import type { Word } from "../../../protocol/DependentCalls.ts"
import { PinnedContracts, type PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { observed } from "../../../values/Observed.ts"
import { Address, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { recordedAddresses } from "../../shared/context/Recorded.ts"
import { poolCalls, readBuybackPool } from "../BuybackPools.ts"
import { CONTEXTS, type Contexts, contextsOf, readRouter } from "../Router.ts"
import { getRouting } from "./Declaration.ts"
import { readHooks } from "./RoutedHooks.ts"

type Input = typeof getRouting.input.Type

const COVERAGE = [
  "Hooks are those of the current ruleset; a queued ruleset may name others.",
  "Without given tokens, those of up to eight accounting contexts of the canonical terminal are shown.",
  "Terminals and contexts of terminals that are not recorded are what the project names, unproved.",
  "Pools are those of the buyback hook in use; the best pool of a pair is the router's present choice for no amount in particular."
]

/** An account is three words, the token first, behind the offset and the length of their list. */
const accountToken = (position: number): Word => ({ call: 0, index: 2 + 3 * position })

/** The pools of the native token and of those that the terminal keeps accounts in, of every recorded buyback hook. */
const foreseePools = (snapshot: PinnedSnapshot, projectId: string, terminal: Address) => {
  const tokens = Array.from({ length: CONTEXTS }, (_, position) => accountToken(position))
  const currencies = [ZERO_ADDRESS, ...tokens]
  return snapshot.foresee([
    { to: terminal, signature: "accountingContextsOf(uint256)", words: [projectId] },
    ...recordedAddresses(snapshot, "JBBuybackHook").flatMap(hook => poolCalls(projectId, hook, currencies))
  ])
}

const tokensOf = (
  snapshot: PinnedSnapshot,
  { project, tokens }: Input,
  terminal: Address,
  contexts: Contexts
) =>
  tokens === undefined
    ? Effect.map(
        Effect.all([contexts, foreseePools(snapshot, project.projectId, terminal)], AT_ONCE),
        ([{ items }]) => items.map(({ token }) => token)
      )
    : Effect.succeed([...new Set(tokens)])

const terminalsOf = ({ read }: PinnedSnapshot, projectId: string, tokens: ReadonlyArray<Address>) =>
  Effect.forEach(
    tokens,
    token =>
      Effect.map(
        observed(
          Effect.map(read("JBDirectory", "primaryTerminalOf", [projectId, token], Address), terminal =>
            terminal === ZERO_ADDRESS ? null : terminal
          )
        ),
        primaryTerminal => ({ token, primaryTerminal })
      ),
    AT_ONCE
  )

/** Of every recorded buyback hook, so that nobody has to wait for which one is in use. */
const poolsOf = (snapshot: PinnedSnapshot, projectId: string, tokens: ReadonlyArray<Address>) =>
  Effect.forEach(
    recordedAddresses(snapshot, "JBBuybackHook").flatMap(hook => tokens.map(token => [hook, token] as const)),
    ([hook, token]) =>
      Effect.map(observed(readBuybackPool({ snapshot, projectId, hook, token })), pool => ({
        token,
        hook,
        pool
      })),
    AT_ONCE
  )

export const runGetRouting = defineOperation(getRouting, input =>
  Effect.gen(function* () {
    const { projectId, chainId } = input.project
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(chainId)
    const multiTerminal = yield* snapshot.addressOf("JBMultiTerminal")
    const contexts = yield* Effect.cached(contextsOf(snapshot, projectId, multiTerminal))
    const tokens = yield* Effect.cached(tokensOf(snapshot, input, multiTerminal, contexts))
    const answers = yield* eachAtOnce({
      hooks: readHooks(snapshot, projectId),
      router: readRouter(snapshot, input, contexts),
      tokens: Effect.flatMap(tokens, chosen => terminalsOf(snapshot, projectId, chosen)),
      pools: Effect.flatMap(tokens, chosen => poolsOf(snapshot, projectId, chosen))
    })
    const { controller, current, hooks, buyback } = yield* answers.hooks
    const { useDataHookForPay, useDataHookForCashOut } = current.metadata
    return {
      project: input.project,
      controller,
      rulesetId: current.ruleset.id,
      hookFlags: { useDataHookForPay, useDataHookForCashOut },
      hooks,
      router: yield* answers.router,
      tokens: yield* observed(answers.tokens),
      buybackPools: yield* observed(
        Either.map(answers.pools, pools => pools.filter(({ hook }) => hook === buyback))
      ),
      evidence: [snapshot.evidence],
      coverage: COVERAGE
    }
  })
)
