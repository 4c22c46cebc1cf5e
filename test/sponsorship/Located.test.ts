/** A published request's execution is found by its chain alone: without the provider, after reorganisations, whatever anybody says of it. */
import { afterAll, assert, describe, it } from "vitest"
import type { Lie } from "../../sandbox/provider/Faults.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { arm, disarm } from "../provider/support/Provider.ts"
import { revokeBot } from "../support/Bots.ts"
import { payment, stepOf } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine, newPayer, newRelayBot } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { sweep } from "../support/Sweeps.ts"
import { until } from "../support/Until.ts"
import { workerOf } from "../support/Worker.ts"
import {
  ANYBODY,
  comesTo,
  confirm,
  execute,
  executeBatch,
  fund,
  hint,
  hintOf,
  leave,
  look,
  makeDue,
  observationOf,
  type Publication,
  publication,
  show,
  startExecutingBench
} from "./support/Executing.ts"
import { lookAnew } from "./support/Quoted.ts"
import { authorizationOf } from "./support/Sponsored.ts"

/** Answers calls of 36 bytes, as those of isTrustedForwarder are, with true, and reverts otherwise. */
const TRUSTING_AND_REVERTING = "0x36602414600b57600080fd5b600160005260206000f3"

const bench = await startExecutingBench({ requestSeconds: 169_200 })
const workers = [workerOf(bench), workerOf(bench)]

afterAll(async () => {
  for (const worker of workers) await worker.dispose()
  await bench.stop()
})

const stateOf = async (made: Publication) => observationOf((await look(bench, made)).sponsorship).state

describe("an execution", () => {
  it("is found although the provider's answer was lost and it is gone", async () => {
    bench.provider.fault({ phase: "after", act: { kind: "reset" } })
    const made = await publication(bench)
    assert.strictEqual((await show(bench, made)).state, "submission_unknown")
    bench.provider.follow("http://127.0.0.1:9")
    await execute(bench, made)
    await confirm(bench)
    await comesTo(bench, made, "completed")
    bench.provider.follow(bench.reference.url)
  })

  it("is found by one of two replicas' sweeps, after the grant that published it was revoked", async () => {
    const owner = await newPayer(bench)
    const by = await newRelayBot(bench, owner)
    const made = await publication(bench, { owner, by, lie: "executes-never" })
    await revokeBot(bench.service, owner, by)
    await execute(bench, made)
    await confirm(bench)
    await makeDue(bench, made)
    const swept = await Promise.all(workers.map(worker => worker.runPromise(sweep)))
    assert.strictEqual(swept.filter(count => count > 0).length, 1)
    assert.strictEqual((await show(bench, made)).state, "completed")
    assert.strictEqual(
      bench.provider.publications().filter(({ transactions }) => transactions[0]?.data === made.calls[0])
        .length,
      1
    )
  })
})

it("the requests of several wallets are looked for by the same questions", async () => {
  const made: Array<Publication> = []
  for (let wallets = 0; wallets < 4; wallets++) made.push(await publication(bench, { lie: "executes-never" }))
  for (const each of made) await execute(bench, each)
  await confirm(bench)
  for (const each of made) await makeDue(bench, each)
  const before = bench.proxy.records.length
  await workers[0]?.runPromise(sweep)
  const asked = bench.proxy.records.slice(before).filter(({ method }) => method === "eth_getLogs")
  assert.isBelow(asked.length, made.length)
  for (const each of made) assert.strictEqual((await show(bench, each)).state, "completed")
})

describe("a reorganisation", () => {
  it.each([1, 2, 8, 32, 64])(
    "of %i blocks displaces the execution, which comes again in the same shape or another",
    async blocks => {
      const shapes = [
        { execution: execute, shape: "direct" },
        { execution: executeBatch, shape: "batched" }
      ]
      for (const { execution, shape } of shapes) {
        const made = await publication(bench, { lie: "executes-never" })
        const first = await execute(bench, made)
        if (blocks > 1) await mine(bench, blocks - 1)
        assert.match(await stateOf(made), /^confirm/)
        await leave(bench, first)
        assert.strictEqual(await stateOf(made), "reorged")
        const again = await execution(bench, made)
        await confirm(bench)
        const { hash, proof } = observationOf(await comesTo(bench, made, "completed"))
        assert.deepStrictEqual([hash, proof], [again, shape])
      }
    }
  )

  it("that takes back what the provider did for good leaves it reorged, never executed", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const first = await execute(bench, made)
    await confirm(bench)
    await comesTo(bench, made, "completed")
    await leave(bench, first)
    assert.strictEqual(await stateOf(made), "reorged")
    assert.notInclude(["completed", "execution_verified"], (await show(bench, made)).state)
  })
})

describe("what a provider says", () => {
  it.each<Lie>(["hash-foreign", "hash-reverted", "hash-unmined", "hash-other-chain"])(
    "with a %s changes nothing",
    async lie => {
      const made = await publication(bench, { lie: "executes-never" })
      await arm(bench.reference, { lie, path: "bundle", times: 100 })
      for (let asked = 0; asked < 2; asked++) {
        const shown = observationOf(await lookAnew(bench, made.owner, made.sponsorship))
        assert.deepInclude(shown, { state: "pending", providerState: "Success" })
        assert.notProperty(shown, "hash")
        await confirm(bench)
      }
      assert.match(String(await hintOf(bench, made)), /^0x[0-9a-f]{64}$/)
      await disarm(bench.reference)
      await execute(bench, made)
      await confirm(bench)
      await comesTo(bench, made, "completed")
    }
  )

  it("of two calls with one hash for both is believed of the one that it executed", async () => {
    const pay = payment(bench, ANYBODY)
    const made = await publication(bench, { calls: [pay, pay], lie: "executes-first-only" })
    await fund(bench)
    await arm(bench.reference, { lie: "hash-shared", path: "bundle", times: 1_000 })
    const look = () => lookAnew(bench, made.owner, made.sponsorship)
    const isSeen = ({ observations: [first] }: Sponsorship) => first?.hash !== undefined
    await until(look, isSeen)
    await confirm(bench)
    const { observations, state } = await look()
    assert.deepStrictEqual([observations[0]?.state, observations[1]?.state], ["confirmed", "pending"])
    assert.strictEqual(await hintOf(bench, made, 1), observations[0]?.hash)
    assert.notProperty(observations[1], "hash")
    assert.strictEqual(state, "executing")
    await disarm(bench.reference)
  })

  it("of another call's transaction changes nothing", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const other = await publication(bench, { lie: "executes-never" })
    const others = await execute(bench, other)
    await confirm(bench)
    await hint(bench, made, others)
    assert.strictEqual(await stateOf(made), "pending")
    assert.notProperty(observationOf(await show(bench, made)), "hash")
  })

  it("of a transaction whose receipt is too large to be read keeps nothing from being found", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const named = `0x${"ab".repeat(32)}` as const
    await hint(bench, made, named)
    const tooLarge = { logs: "00".repeat(3_000_000) }
    const rewrite = ({ params }: Question) => (params[0] === named ? tooLarge : undefined)
    const act = { kind: "rewrite", rewrite } as const
    bench.proxy.fault({ method: "eth_getTransactionReceipt", times: 1_000, phase: "after", act })
    assert.strictEqual(await stateOf(made), "pending")
    const hash = await execute(bench, made)
    await confirm(bench)
    assert.strictEqual(observationOf(await comesTo(bench, made, "completed")).hash, hash)
    bench.proxy.clearFaults()
  })

  it("of a transaction that failed around the request shows it, until another executes it", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const failed = await execute(bench, made, 0, 60_000)
    await confirm(bench)
    assert.strictEqual(await stateOf(made), "pending")
    await hint(bench, made, failed)
    const { sponsorship, plan } = await look(bench, made)
    const { state, hash, proof } = observationOf(sponsorship)
    assert.deepStrictEqual([state, hash, proof], ["reverted", failed, undefined])
    assert.strictEqual(sponsorship.state, "executing")
    assert.strictEqual(stepOf(plan).state, "reverted")
    const executed = await execute(bench, made)
    await confirm(bench)
    assert.strictEqual(observationOf(await comesTo(bench, made, "completed")).hash, executed)
  })
})

describe("a provider's later word", () => {
  it("shows the execution where a node tells no logs, after a transaction that failed", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const act = { kind: "error", code: -32_000, message: "no logs are kept" } as const
    bench.proxy.fault({ method: "eth_getLogs", times: 10_000, phase: "after", act })
    await hint(bench, made, await execute(bench, made, 0, 60_000))
    await confirm(bench)
    assert.strictEqual(await stateOf(made), "reverted")
    const executed = await execute(bench, made)
    await hint(bench, made, executed)
    await confirm(bench)
    assert.strictEqual(observationOf(await comesTo(bench, made, "completed")).hash, executed)
    bench.proxy.clearFaults()
  })
})

describe("a call that did not succeed within its request", () => {
  const executedInVain = async (requested: Pick<Publication, "sponsorship" | "calls">) => {
    const { to } = authorizationOf(requested.sponsorship).message
    const code = await rpc(bench.chain.url, "eth_getCode", [to, "latest"])
    await rpc(bench.chain.url, "anvil_setCode", [to, TRUSTING_AND_REVERTING])
    await executeBatch(bench, requested)
    await rpc(bench.chain.url, "anvil_setCode", [to, code])
    await confirm(bench)
  }

  it("leaves the others to be waited for, which can still be executed", async () => {
    const calls = [payment(bench, ANYBODY), payment(bench, ANYBODY)]
    const made = await publication(bench, { calls, lie: "executes-never" })
    const [first = assert.fail("no request")] = made.sponsorship.authorizations
    await executedInVain({
      sponsorship: { ...made.sponsorship, authorizations: [first] },
      calls: made.calls.slice(0, 1)
    })
    const { nextAction } = await comesTo(bench, made, "failed")
    assert.strictEqual(nextAction.kind, "wait")
    assert.include(nextAction.reason, "others can still be executed")
    await execute(bench, made, 1)
    await confirm(bench)
    await until(
      async () => (await look(bench, made)).sponsorship,
      sponsorship => sponsorship.nextAction.kind === "none"
    )
  })

  it("in a batch is failed for good", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await executedInVain(made)
    const sponsorship = await comesTo(bench, made, "failed")
    const { state, proof, semantic } = observationOf(sponsorship)
    assert.deepStrictEqual([state, proof, semantic?.status], ["reverted", "batched", "failed"])
  })
})

describe("without a tracer", () => {
  it("an unusual shape proves nothing, and says so", async () => {
    const made = await publication(bench, { lie: "executes-nested" })
    bench.proxy.fault({
      method: "debug_traceTransaction",
      times: 1_000,
      phase: "before",
      act: { kind: "error", code: -32_601, message: "the method does not exist" }
    })
    await fund(bench)
    await comesTo(bench, made, "executing")
    await confirm(bench)
    const { sponsorship } = await look(bench, made)
    const { state, proof, semantic, reason } = observationOf(sponsorship)
    assert.deepStrictEqual(
      [state, proof, semantic?.status, reason],
      ["confirmed", undefined, "unknown", "EXECUTION_SHAPE_UNPROVED"]
    )
    assert.strictEqual(sponsorship.state, "executing")
    bench.proxy.clearFaults()
    await comesTo(bench, made, "completed")
  })
})

it("a refresh of 32 requests takes four round trips of their chain", async () => {
  const owner = await newPayer(bench)
  const calls = Array.from({ length: 32 }, () => payment(bench, ANYBODY))
  const made = await publication(bench, { owner, calls, lie: "executes-never" })
  for (const [position] of calls.entries()) await execute(bench, made, position)
  await confirm(bench)
  const before = bench.proxy.roundTrips()
  const { plan } = await look(bench, made)
  assert.isAtMost(bench.proxy.roundTrips() - before, 4)
  assert.deepStrictEqual([...new Set(plan.steps.map(({ state }) => state))], ["confirmed"])
})
