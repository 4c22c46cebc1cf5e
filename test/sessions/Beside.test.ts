/** Sessions whose chain, manifest or guard is not there, that several look at once, and whose process dies. */
import { type Address, encodeAbiParameters, encodeFunctionData } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bound } from "../smartaccounts/support/Bindings.ts"
import { changed, controlAbi, manifest, ownersDo } from "../smartaccounts/support/Inspections.ts"
import { manifestFile } from "../smartaccounts/support/WalletService.ts"
import { createWallet, GUARD } from "../smartaccounts/support/Wallets.ts"
import { metricValue } from "../support/MetricValue.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import type { RunningService } from "../support/Service.ts"
import { guardAbi } from "./support/Abis.ts"
import { askLifecycle } from "./support/LifecycleBench.ts"
import {
  askSession,
  type Bound,
  boundWallet,
  enabled,
  preparedSession,
  readSession,
  reviewed,
  type SessionBench,
  sessionInput,
  shownSession,
  startSessionBench
} from "./support/SessionBench.ts"

const { guard: _, ...withoutGuard } = manifest.pins
const unguarded = changed({ pins: withoutGuard })
const ownership = changed({ mode: "ownership-only" })

let bench: SessionBench
let of: Bound

beforeAll(async () => {
  bench = await startSessionBench()
  of = await boundWallet(bench)
})
afterAll(() => bench.stop())

/** Beside the bench's service, on its database. */
const withReplica = async (
  own: Parameters<SessionBench["replica"]>[0],
  work: (place: SessionBench) => Promise<void>
) => {
  const service: RunningService = await bench.replica(own)
  try {
    await work({ ...bench, service })
  } finally {
    await service.stop()
  }
}

describe("a session is looked at", () => {
  it("by many at once, to whom it is the same", async () => {
    const own = await boundWallet(bench)
    const session = await preparedSession(bench, own)
    await enabled(bench, own, session)
    const shown = await Promise.all(Array.from({ length: 12 }, () => shownSession(bench, session)))
    for (const { state, invalidation, observation } of shown) {
      assert.equal(state, "active")
      assert.isUndefined(invalidation)
      assert.equal(observation?.history, session.compiled.expectedHistory)
    }
  })

  it("and each look is counted by what was found", async () => {
    const own = await boundWallet(bench)
    const session = await preparedSession(bench, own)
    const counted = (state: string) =>
      metricValue(bench.service, `service_session_observations_total{state="${state}"}`)
    const before = [await counted("prepared"), await counted("active")]
    await shownSession(bench, session)
    await enabled(bench, own, session)
    await shownSession(bench, session)
    assert.deepEqual(
      [await counted("prepared"), await counted("active")],
      before.map(count => count + 1)
    )
  })
})

describe("where the chain does not answer", () => {
  it("what is stored is shown, and nothing is prepared, reviewed or said to be new", async () => {
    const session = await preparedSession(bench, of)
    await shownSession(bench, session)
    const body = await sessionInput(bench, of, { generation: "2" })
    const chains = [{ chainId: 31_337, urls: [], confirmations: 2 }]
    await withReplica({ chains }, async place => {
      assert.equal((await shownSession(place, session, "?refresh=false")).state, "prepared")
      for (const answer of [
        await readSession(place, `/${session.id}`),
        await readSession(place, `/${session.id}/quota`),
        await askSession(place, body),
        await reviewed(place, body)
      ])
        assert.isAtLeast((await problemIn(answer)).status, 400)
      const listed = await (await readSession(place, "")).json()
      assert.isNotEmpty(listed.items)
    })
  })
})

describe("where the manifest", () => {
  it.each([
    ["has no guard", unguarded],
    ["is for owners alone", ownership]
  ])("%s, there are no sessions", async (_, given) => {
    const { smartManifests, remove } = await manifestFile([given])
    await withReplica({ smartManifests }, async place => {
      const body = await sessionInput(bench, of, { generation: "3" })
      await assertProblem(await askSession(place, body), "SESSIONS_UNAVAILABLE")
      await assertProblem(await reviewed(place, body), "SESSIONS_UNAVAILABLE")
      const { sessions } = await (await fetch(`${place.service.url}/api/v1/capabilities`)).json()
      assert.deepEqual(sessions, { state: "unavailable" })
    })
    await remove()
  })

  it("left the file, its wallet is not known to be the bound one, until it is there again", async () => {
    const session = await preparedSession(bench, of, { generation: "4" })
    const { smartManifests, remove } = await manifestFile([changed({ id: "other" })])
    await withReplica({ smartManifests }, async place => {
      const { state, invalidation } = await shownSession(place, session)
      assert.deepEqual(
        [state, invalidation?.reason, invalidation?.permanent],
        ["stale", "wallet-changed", false]
      )
    })
    await remove()
    assert.equal((await shownSession(bench, session)).state, "prepared")
  })

  it("is what it should be, everybody is told of the guard", async () => {
    const { sessions } = await (await fetch(`${bench.service.url}/api/v1/capabilities`)).json()
    assert.deepEqual(sessions, {
      durationsDays: [7, 30],
      availableActions: ["v6-project-uri", "erc20-transfer", "v6-pay"],
      chains: [{ chainId: 31_337, guard: GUARD, runtimeCodeHash: manifest.pins.guard?.runtimeCodeHash }]
    })
  })
})

describe("a wallet without the guard", () => {
  it("has a session by the installation of the guard, and is bound anew then", async () => {
    const sandbox = { ...bench.sandbox, stop: bench.chain.stop }
    const wallet = await createWallet(sandbox, { saltNonce: 90_001n, validators: [] })
    const { id: bindingId } = await bound(bench, wallet)
    const own = { wallet, bindingId }
    const { warnings } = await (await reviewed(bench, await sessionInput(bench, own))).json()
    assert.match(warnings.join(), /does not have the guard/)
    const session = await preparedSession(bench, own)
    const { enableNonce, encodedPolicy } = session.compiled
    const data = encodeAbiParameters(
      [{ type: "uint64" }, { type: "bytes" }],
      [BigInt(enableNonce), encodedPolicy]
    )
    const guard: Address = GUARD
    const install = encodeFunctionData({
      abi: controlAbi,
      functionName: "installModule",
      args: [1n, guard, data]
    })
    await ownersDo(bench.sandbox, wallet, install)
    const shown = await shownSession(bench, session)
    assert.equal(shown.invalidation?.reason, "wallet-changed")
    assert.isTrue(shown.observation?.enabled)
    await bound(bench, wallet)
    assert.equal((await shownSession(bench, session)).state, "active")
  })

  it("prepares and enables none where its owners had the guard alone believe that it is installed", async () => {
    const sandbox = { ...bench.sandbox, stop: bench.chain.stop }
    const wallet = await createWallet(sandbox, { saltNonce: 90_002n, validators: [] })
    const { id: bindingId } = await bound(bench, wallet)
    const own = { wallet, bindingId }
    const session = await preparedSession(bench, own)
    const install = encodeFunctionData({ abi: guardAbi, functionName: "onInstall", args: ["0x"] })
    await ownersDo(bench.sandbox, wallet, install, undefined, GUARD)
    const body = await sessionInput(bench, own, { generation: "2" })
    const mends = /own call of onUninstall\(0x\) of 0x.* a session is to be prepared after that/
    for (const answer of [
      await askLifecycle(bench.service, bench.owner, "activation-plans", session),
      await askSession(bench, body)
    ]) {
      const { context, detail } = await assertProblem(answer, "SMART_ACCOUNT_UNSUPPORTED")
      assert.deepEqual(context, { check: "validators" })
      assert.match(detail, mends)
    }
    const { warnings } = await (await reviewed(bench, body)).json()
    assert.match(warnings.join(), mends)
  })
})
