import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { showOmnichain } from "../../src/projects/OmnichainView.ts"
import { pinnedCatalog } from "../protocol/support/Protocol.ts"
import {
  addresses,
  addressOf,
  bridged,
  contractsOver,
  core,
  told,
  word,
  wordOf,
  words
} from "./support/TwoChains.ts"

const QUEUED_RULESET = 1_690_000_001n
/** An empty list or text, behind its offset. */
const EMPTY = words(2, { 0: 32n })

/** The peer's project answers everything that its view begins with. */
const peers = Effect.gen(function* () {
  const chains = yield* bridged
  const { world } = chains.away
  const at = (name: string) => addressOf(10, core(name))
  const [directory, controller] = [yield* at("JBDirectory"), yield* at("JBController")]
  const terminal = yield* at("JBMultiTerminal")
  told(world, directory, "controllerOf", word(wordOf(controller)))
  told(world, directory, "terminalsOf", addresses([terminal]))
  for (const name of ["currentRulesetOf", "upcomingRulesetOf"])
    told(world, controller, name, words(28, { 1: QUEUED_RULESET }))
  told(world, controller, "latestQueuedRulesetOf", words(29, { 1: QUEUED_RULESET }))
  told(world, controller, "uriOf", EMPTY)
  for (const name of ["totalTokenSupplyWithReservedTokensOf", "pendingReservedTokenBalanceOf"])
    told(world, controller, name, words(1))
  for (const [name, kept] of [
    ["TOKENS", "JBTokens"],
    ["FUND_ACCESS_LIMITS", "JBFundAccessLimits"],
    ["SPLITS", "JBSplits"]
  ] as const)
    told(world, controller, name, word(wordOf(yield* at(kept))))
  told(world, yield* at("JBTokens"), "tokenOf", words(1))
  told(world, terminal, "STORE", word(wordOf(yield* at("JBTerminalStore"))))
  told(world, terminal, "accountingContextsOf", EMPTY)
  told(world, yield* at("JBSplits"), "splitsOf", EMPTY)
  return chains
})

const PROJECT = { chainId: 1, projectId: "7", maxMembers: 8 }

describe("a peer of a project", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("is proved and shown in three round trips to its chain", () =>
      Effect.gen(function* () {
        const chains = yield* peers
        const { members } = yield* Effect.provide(showOmnichain(PROJECT), contractsOver(chains))
        const state = members[1]?.state
        assert.strictEqual(members[1]?.membership.status, "proved")
        assert.deepStrictEqual(state?.status === "known" ? state.value.reservedTokenSplits : state, {
          status: "known",
          value: []
        })
        const { snapshots, batches } = chains.away.world.traffic
        assert.strictEqual(snapshots.length + batches.length, 3)
      })
    )
  })
})
