import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { showBridges } from "../../src/projects/BridgesView.ts"
import { showOmnichain } from "../../src/projects/OmnichainView.ts"
import type { Observed } from "../../src/values/Observed.ts"
import { pinnedCatalog } from "../protocol/support/Protocol.ts"
import type { NodeReply } from "../protocol/support/ScriptedChain.ts"
import {
  addresses,
  addressOf,
  type Bridged,
  bridged,
  contractsOver,
  core,
  OWNER,
  PEER,
  REVERT,
  SUCKER,
  told,
  uint,
  word,
  wordOf
} from "./support/TwoChains.ts"

const project = { chainId: 1, projectId: "7" }
const BROKEN: NodeReply = { error: { code: -32_000 } }

const codeOf = (value: Observed<unknown> | undefined) =>
  value?.status === "unknown" ? value.error.code : value?.status

const bridgesOver = (chains: Bridged, hasAway = true, over: object = {}) =>
  Effect.provide(showBridges({ project, ...over }), contractsOver(chains, hasAway))

const onlyBridge = Effect.fnUntraced(function* (chains: Bridged, hasAway = true) {
  const { bridges } = yield* bridgesOver(chains, hasAway)
  const [bridge] = bridges.status === "known" ? bridges.value : []
  return bridge ?? assert.fail("no bridge")
})

describe("bridges", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("are proved at both ends, in three round trips to each chain", () =>
      Effect.gen(function* () {
        const chains = yield* bridged
        const view = yield* bridgesOver(chains)
        const bridge = yield* onlyBridge(yield* bridged)
        assert.deepEqual(bridge.identity, {
          projectId: { status: "known", value: "7" },
          peer: { status: "known", value: wordOf(PEER) },
          peerChainId: { status: "known", value: "10" },
          remoteProjectId: { status: "known", value: "9" },
          verified: { status: "known", value: true }
        })
        assert.deepEqual(bridge.activeRegistryMember, { status: "known", value: true })
        assert.deepEqual(bridge.state, { status: "known", value: { code: 1, name: "deprecation-pending" } })
        assert.deepEqual(bridge.transport, { status: "known", value: { kind: "optimism", contract: OWNER } })
        assert.strictEqual(codeOf(bridge.accountingGossip), "CALL_REVERTED")
        assert.strictEqual(codeOf(bridge.outboxEvents), "LOG_RANGE_REQUIRED")
        assert.deepEqual(
          view.evidence.map(({ chainId }) => chainId),
          [1, 10]
        )
        assert.isFalse(view.coverage.complete)
        assert.include(view.coverage.unknown, "/bridges/value/0/accountingGossip")
        const { home, away } = chains
        assert.deepEqual(
          [home, away].map(({ world }) => world.traffic.snapshots.length + world.traffic.batches.length),
          [3, 2]
        )
      })
    )

    it.effect("whose ends do not name each other are said to be unverified", () =>
      Effect.gen(function* () {
        const wrong: ReadonlyArray<readonly [(chains: Bridged) => void, string]> = [
          [({ away }) => told(away.world, PEER, "peer", word(wordOf(OWNER))), "BRIDGE_IDENTITY_MISMATCH"],
          [({ away }) => told(away.world, PEER, "peerChainId", uint(8453n)), "BRIDGE_IDENTITY_MISMATCH"],
          [({ away }) => told(away.world, away.registry, "isSuckerOf", uint(0n)), "BRIDGE_IDENTITY_MISMATCH"],
          [({ away }) => told(away.world, PEER, "projectId", REVERT), "BRIDGE_IDENTITY_MISMATCH"],
          [({ away }) => told(away.world, PEER, "projectId", { result: "0x" }), "BRIDGE_IDENTITY_MISMATCH"],
          [({ home }) => told(home.world, SUCKER, "projectId", uint(8n)), "BRIDGE_IDENTITY_MISMATCH"],
          [({ home }) => told(home.world, SUCKER, "peerChainId", uint(1n)), "BRIDGE_IDENTITY_MISMATCH"],
          [({ home }) => told(home.world, SUCKER, "peerChainId", uint(5n)), "UNSUPPORTED_CHAIN"],
          [
            ({ home }) => told(home.world, SUCKER, "peer", word(`0x01${"00".repeat(31)}`)),
            "UNSUPPORTED_REMOTE_PEER"
          ],
          [
            ({ home }) => told(home.world, SUCKER, "peer", word(`0x${"00".repeat(32)}`)),
            "UNSUPPORTED_REMOTE_PEER"
          ],
          [({ away }) => told(away.world, PEER, "peer", BROKEN), "RPC_UNAVAILABLE"],
          [({ away }) => told(away.world, away.registry, "isSuckerOf", BROKEN), "RPC_UNAVAILABLE"],
          [({ home }) => told(home.world, SUCKER, "peer", BROKEN), "RPC_UNAVAILABLE"]
        ]
        for (const [break_, code] of wrong) {
          const chains = yield* bridged
          break_(chains)
          assert.strictEqual(codeOf((yield* onlyBridge(chains)).identity.verified), code, break_.toString())
        }
        const alone = yield* onlyBridge(yield* bridged, false)
        assert.strictEqual(codeOf(alone.identity.verified), "UNSUPPORTED_CHAIN")
      })
    )

    it.effect(
      "between two suckers of one project on one chain are proved by what the chain's own registry lists",
      () =>
        Effect.gen(function* () {
          const twins = Effect.map(bridged, chains => {
            const { registry, world } = chains.home
            told(world, registry, "allSuckersOf", addresses([SUCKER, PEER]))
            for (const [own, other] of [
              [SUCKER, PEER],
              [PEER, SUCKER]
            ] as const) {
              told(world, own, "projectId", uint(7n))
              told(world, own, "peer", word(wordOf(other)))
              told(world, own, "peerChainId", uint(1n))
            }
            return chains
          })
          const verifiedIn = (chains: Bridged) =>
            Effect.map(onlyBridge(chains, false), ({ identity }) => codeOf(identity.verified))
          const whole = yield* twins
          assert.strictEqual(yield* verifiedIn(whole), "known")
          const { snapshots, batches } = whole.home.world.traffic
          assert.strictEqual(snapshots.length + batches.length, 3)
          const wrong: ReadonlyArray<readonly [(chains: Bridged) => void, string]> = [
            [
              ({ home }) => told(home.world, SUCKER, "peer", word(wordOf(SUCKER))),
              "BRIDGE_IDENTITY_MISMATCH"
            ],
            [({ home }) => told(home.world, PEER, "peer", word(wordOf(OWNER))), "BRIDGE_IDENTITY_MISMATCH"],
            [({ home }) => told(home.world, PEER, "peerChainId", uint(10n)), "BRIDGE_IDENTITY_MISMATCH"],
            [({ home }) => told(home.world, PEER, "projectId", uint(8n)), "BRIDGE_IDENTITY_MISMATCH"],
            [({ home }) => told(home.world, SUCKER, "projectId", uint(8n)), "BRIDGE_IDENTITY_MISMATCH"],
            [
              ({ home }) => told(home.world, home.registry, "allSuckersOf", addresses([SUCKER])),
              "BRIDGE_IDENTITY_MISMATCH"
            ],
            [({ home }) => told(home.world, PEER, "peer", BROKEN), "RPC_UNAVAILABLE"]
          ]
          for (const [break_, code] of wrong) {
            const chains = yield* twins
            break_(chains)
            assert.strictEqual(yield* verifiedIn(chains), code, break_.toString())
          }
        })
    )

    it.effect("say their transport only where exactly one getter answers", () =>
      Effect.gen(function* () {
        const both = yield* bridged
        told(both.home.world, SUCKER, "CCIP_ROUTER", word(wordOf(OWNER)))
        assert.strictEqual(codeOf((yield* onlyBridge(both)).transport), "TRANSPORT_NOT_IDENTIFIED")
        const none = yield* bridged
        told(none.home.world, SUCKER, "OPMESSENGER", uint(0n))
        assert.strictEqual(codeOf((yield* onlyBridge(none)).transport), "TRANSPORT_NOT_IDENTIFIED")
        const unread = yield* bridged
        told(unread.home.world, SUCKER, "GATEWAYROUTER", BROKEN)
        assert.strictEqual(codeOf((yield* onlyBridge(unread)).transport), "RPC_UNAVAILABLE")
      })
    )

    it.effect("are told where the node does not answer what the block of a log range is now", () =>
      Effect.gen(function* () {
        const range = { holder: OWNER, fromBlock: "1", toBlock: "2" }
        const { bridges } = yield* bridgesOver(yield* bridged, true, range)
        const [bridge] = bridges.status === "known" ? bridges.value : []
        assert.strictEqual(codeOf(bridge?.outboxEvents), "RPC_UNAVAILABLE")
        assert.strictEqual(codeOf(bridge?.state), "known")
        assert.deepEqual(bridge?.identity.verified, { status: "known", value: true })
      })
    )

    it.effect("are refused for a project that is not there and for ranges that no node takes", () =>
      Effect.gen(function* () {
        const absent = yield* bridged
        absent.home.world.replies.clear()
        assert.strictEqual((yield* Effect.flip(bridgesOver(absent)))._tag, "PROJECT_NOT_FOUND")
        for (const [path, range] of [
          ["toBlock", { fromBlock: "1" }],
          ["fromBlock", { toBlock: "1" }],
          ["fromBlock", { fromBlock: "5", toBlock: "4" }],
          ["fromBlock", { fromBlock: "0", toBlock: "2000" }],
          ["toBlock", { fromBlock: "99", toBlock: "101" }]
        ] as const) {
          const refusal = yield* Effect.flip(bridgesOver(yield* bridged, true, { holder: OWNER, ...range }))
          assert.strictEqual(refusal._tag, "INVALID_INPUT", JSON.stringify(range))
          assert.strictEqual(Object(refusal).context.path, path, JSON.stringify(range))
        }
      })
    )

    it.effect("are unknown together where there are more than one read takes", () =>
      Effect.gen(function* () {
        const chains = yield* bridged
        told(chains.home.world, chains.home.registry, "allSuckersOf", addresses(Array(33).fill(SUCKER)))
        assert.strictEqual(codeOf((yield* bridgesOver(chains)).bridges), "READ_LIMIT_EXCEEDED")
      })
    )
  })
})

describe("a project's group", () => {
  it.layer(pinnedCatalog)(it => {
    const show = (chains: Bridged, maxMembers = 8, hasAway = true) =>
      Effect.provide(showOmnichain({ ...project, maxMembers }), contractsOver(chains, hasAway))

    it.effect("has the proved member with a state, evidence and finality of its own", () =>
      Effect.gen(function* () {
        const { group, members } = yield* show(yield* bridged)
        assert.deepInclude(group, { membersFound: { status: "known", value: 2 }, truncated: false })
        assert.deepEqual(
          members.map(({ chainId, membership, projectId }) => [
            codeOf(chainId),
            projectId,
            membership.status
          ]),
          [
            ["known", { status: "known", value: "7" }, "origin"],
            ["known", { status: "known", value: "9" }, "proved"]
          ]
        )
        const [origin, peer] = members
        const state = peer?.state.status === "known" ? peer.state.value : undefined
        assert.deepEqual(state?.project, { chainId: 10, projectId: "9", version: 6 })
        assert.strictEqual(codeOf(state?.metadataUri), "UNSUPPORTED_CONTROLLER")
        assert.deepEqual([origin?.evidence[0]?.chainId, peer?.evidence[0]?.chainId], [1, 10])
        assert.deepEqual(peer?.finality, {
          status: "known",
          value: { status: "latest", safeBlock: null, finalizedBlock: null }
        })
      })
    )

    it.effect("says of a member without a controller that it has none", () =>
      Effect.gen(function* () {
        const chains = yield* bridged
        told(chains.away.world, yield* addressOf(10, core("JBDirectory")), "controllerOf", uint(0n))
        const { members } = yield* show(chains)
        const state = members[1]?.state
        assert.strictEqual(
          state?.status === "known" && codeOf(state.value.metadataUri),
          "PROJECT_WITHOUT_CONTROLLER"
        )
      })
    )

    it.effect("says of a member that is not proved that it is not, and reads nothing of it", () =>
      Effect.gen(function* () {
        const chains = yield* bridged
        told(chains.away.world, PEER, "peer", word(wordOf(OWNER)))
        const { coverage, members } = yield* show(chains)
        const [, peer] = members
        assert.deepInclude(peer?.membership, { status: "unverified" })
        assert.strictEqual(codeOf(peer?.state), "BRIDGE_IDENTITY_MISMATCH")
        assert.include(coverage.unknown, "/members/1/membership/verified")
        const alone = yield* show(yield* bridged, 8, false)
        assert.strictEqual(codeOf(alone.members[1]?.state), "UNSUPPORTED_CHAIN")
      })
    )

    it.effect("is cut to the members that were asked for, and says so", () =>
      Effect.gen(function* () {
        const { group, members } = yield* show(yield* bridged, 1)
        assert.deepEqual([group.truncated, members.length], [true, 1])
      })
    )

    it.effect("is of unknown size where the registry does not tell it", () =>
      Effect.gen(function* () {
        const chains = yield* bridged
        told(chains.home.world, chains.home.registry, "suckersOf", BROKEN)
        const { coverage, group, members } = yield* show(chains)
        assert.deepEqual([codeOf(group.membersFound), members.length], ["RPC_UNAVAILABLE", 1])
        assert.isFalse(coverage.complete)
      })
    )
  })
})
