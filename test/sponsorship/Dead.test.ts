/** A request that no block can execute any more is proved dead by a final one, and only then is its nonce given again. */
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { PACKED_CALLS } from "../../src/protocol/PackedCalls.ts"
import { SponsoredCallStore } from "../../src/sponsorship/SponsoredCallStore.ts"
import { sweepSponsorships } from "../../src/sponsorship/WatchSponsorships.ts"
import { forgetStates } from "../support/ForgottenStates.ts"
import { keptAfter, NO_BLOCK } from "../support/KeptLook.ts"
import { metricValue } from "../support/MetricValue.ts"
import { payment, planned, stepOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import { sweep } from "../support/Sweeps.ts"
import { workerOf } from "../support/Worker.ts"
import {
  ANYBODY,
  BLOCKS_TO_FINALITY,
  comesTo,
  confirm,
  type ExecutingBench,
  execute,
  look,
  makeDue,
  observationOf,
  type Publication,
  passDeadline,
  publication,
  show,
  startExecutingBench
} from "./support/Executing.ts"
import { askPublication, published, signAll } from "./support/Signing.ts"
import { askSponsorship, authorizationOf, sponsorshipFor } from "./support/Sponsored.ts"

let bench: ExecutingBench

let worker: ReturnType<typeof workerOf>

beforeAll(async () => {
  bench = await startExecutingBench()
  worker = workerOf(bench)
})

afterAll(async () => {
  await worker.dispose()
  await bench.stop()
})

const nonceOf = ({ sponsorship }: Pick<Publication, "sponsorship">) =>
  authorizationOf(sponsorship).message.nonce

const counted = (name: string) => metricValue(bench.service, `service_${name}_total`)

const another = async ({ owner }: Publication) => {
  const plan = await planned(bench, owner)
  const sponsorship = await sponsorshipFor(bench.service, owner, plan)
  return { owner, plan, sponsorship }
}

describe("a request that was not executed", () => {
  it("lapses once its deadline is over at a final block, not at a young one", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const deadline = Number(authorizationOf(made.sponsorship).message.deadline)
    await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [deadline + 1])
    await mine(bench, 1)
    const young = await look(bench, made)
    assert.strictEqual(observationOf(young.sponsorship).state, "pending")
    await mine(bench, BLOCKS_TO_FINALITY)
    const { observations, nextAction } = await comesTo(bench, made, "lapsed")
    assert.strictEqual(observationOf({ ...made.sponsorship, observations }).state, "lapsed")
    assert.strictEqual(nextAction.kind, "prepare-again")
    const step = stepOf((await look(bench, made)).plan)
    assert.strictEqual(step.externalExecution?.state, "lapsed")
    assert.strictEqual(step.execution?.transport, "forwarder-prepaid-erc2771")
  })

  it("is found dead by a sweep, without anybody who asks", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await passDeadline(bench, made)
    await makeDue(bench, made)
    assert.isAbove(await worker.runPromise(sweep), 0)
    assert.strictEqual((await show(bench, made)).state, "lapsed")
    await makeDue(bench, made)
    await worker.runPromise(sweep)
    const [row] = await sqlOn(bench.service.databaseUrl, "SELECT sweep_at FROM plans WHERE id = $1", [
      made.plan.id
    ])
    assert.isNull(row?.sweep_at, "nothing is left to look at")
  })

  it("lapses by the word of a node that runs no program, and not where it has the state of the block no more", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const isProgram = ({ params: [asked] }: Question) => JSON.stringify(asked).includes(PACKED_CALLS)
    const answers = (hasState: boolean) => {
      const rewrite = (asked: Question) => {
        if (isProgram(asked)) return "0x"
        return asked.method === "eth_getBalance" && !hasState ? null : undefined
      }
      bench.proxy.clearFaults()
      bench.proxy.fault({
        method: "eth_call",
        phase: "after",
        times: 1_000,
        act: { kind: "rewrite", rewrite }
      })
    }
    answers(false)
    await passDeadline(bench, made)
    assert.strictEqual(observationOf((await look(bench, made)).sponsorship).state, "pending")
    answers(true)
    await comesTo(bench, made, "lapsed")
    bench.proxy.clearFaults()
  })

  it("lapses where the node has the state of its final block no more, by the latest", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await passDeadline(bench, made)
    await forgetStates(bench)
    await comesTo(bench, made, "lapsed")
    bench.proxy.clearFaults()
  })

  it("keeps its nonce until it is dead, and gives it to a new sponsorship then", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const early = await another(made)
    const signatures = await signAll(made.owner.key, early.sponsorship)
    const refused = await askPublication(bench.service, made.owner, early.sponsorship, { signatures })
    assert.strictEqual((await problemIn(refused)).code, "FORWARD_NONCE_RESERVED")
    await passDeadline(bench, made)
    await comesTo(bench, made, "lapsed")
    const next = await another(made)
    assert.strictEqual(nonceOf(next), nonceOf(made))
    await published(bench.service, made.owner, next.sponsorship)
    const step = await askSponsorship(bench.service, made.owner, { planId: made.plan.id })
    assert.strictEqual((await problemIn(step)).code, "STEP_ALREADY_BOUND")
  })

  it("stays due where a look that began before it lived again is kept after that", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await passDeadline(bench, made)
    await comesTo(bench, made, "lapsed")
    const planId = made.plan.id
    const kept = await worker.runPromise(
      keptAfter(
        planId,
        Effect.flatMap(SponsoredCallStore, store => store.revived([{ planId, step: 0, ...NO_BLOCK }]))
      )
    )
    assert.deepStrictEqual([...kept], [])
    const [row] = await sqlOn(bench.service.databaseUrl, "SELECT sweep_at FROM plans WHERE id = $1", [planId])
    assert.isNotNull(row?.sweep_at)
  })

  it("is looked after until its block is shown, however often it was asked for in vain", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await passDeadline(bench, made)
    await comesTo(bench, made, "lapsed")
    const hoursAfter = async (looks: number) => {
      const text = "UPDATE sponsored_calls SET sweep_attempts = $2, sweep_at = 0 WHERE plan = $1"
      await sqlOn(bench.service.databaseUrl, text, [made.plan.id, looks])
      await worker.runPromise(sweepSponsorships)
      const [row] = await sqlOn(
        bench.service.databaseUrl,
        "SELECT round((sweep_at - unix_millis()) / 3600000.0)::integer AS hours FROM sponsored_calls WHERE plan = $1",
        [made.plan.id]
      )
      return row?.hours
    }
    const rewrite = ({ params: [block] }: Question, told: unknown) =>
      String(block).startsWith("0x") ? null : told
    const act = { kind: "rewrite", rewrite } as const
    bench.proxy.fault({ method: "eth_getBlockByNumber", times: 1_000, phase: "after", act })
    assert.strictEqual(await hoursAfter(40), 1)
    assert.strictEqual(await hoursAfter(60), 24)
    bench.proxy.clearFaults()
    assert.isNull(await hoursAfter(40))
  })

  it("lives again when the final block of its proof is gone, and is counted", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const snapshot = await rpc(bench.chain.url, "evm_snapshot", [])
    await passDeadline(bench, made)
    const [proofs, contradictions] = await Promise.all([
      counted("dead_proofs"),
      counted("finality_contradictions")
    ])
    await comesTo(bench, made, "lapsed")
    assert.strictEqual(await counted("dead_proofs"), proofs + 1)
    const [dead] = await sqlOn(
      bench.service.databaseUrl,
      "SELECT dead_block, dead_hash FROM sponsored_calls WHERE plan = $1",
      [made.plan.id]
    )
    assert.isString(dead?.dead_hash)
    await rpc(bench.chain.url, "evm_revert", [snapshot])
    await mine(bench, BLOCKS_TO_FINALITY + 2)
    await makeDue(bench, made)
    await worker.runPromise(sweepSponsorships)
    assert.notStrictEqual((await show(bench, made)).state, "lapsed")
    assert.strictEqual(await counted("finality_contradictions"), contradictions + 1)
    const twin = await another(made)
    const signatures = await signAll(made.owner.key, twin.sponsorship)
    const refused = await askPublication(bench.service, made.owner, twin.sponsorship, { signatures })
    assert.strictEqual((await problemIn(refused)).code, "FORWARD_NONCE_RESERVED")
    await execute(bench, made)
    await confirm(bench)
    await comesTo(bench, made, "completed")
  })
})

describe("a request that was executed", () => {
  it("in the last block that may is never dead", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const deadline = Number(authorizationOf(made.sponsorship).message.deadline)
    await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [deadline])
    await execute(bench, made)
    await mine(bench, BLOCKS_TO_FINALITY)
    await comesTo(bench, made, "completed")
    const [row] = await sqlOn(
      bench.service.databaseUrl,
      "SELECT dead_hash FROM sponsored_calls WHERE plan = $1",
      [made.plan.id]
    )
    assert.isNull(row?.dead_hash)
  })

  it("in part leaves the rest to lapse", async () => {
    const calls = [payment(bench, ANYBODY), payment(bench, ANYBODY)]
    const made = await publication(bench, { calls, lie: "executes-never" })
    await execute(bench, made)
    await passDeadline(bench, made)
    const { observations } = await comesTo(bench, made, "lapsed")
    assert.deepStrictEqual(
      observations.map(({ state }) => state),
      ["confirmed", "lapsed"]
    )
  })
})

const untagged = ({ params: [tag] }: Question, result: unknown) =>
  tag === "safe" || tag === "finalized" ? null : result

/** Last: what is so deep below the head, this node no longer takes back. */
it("without finality tags a block is final once it has 256 confirmations, and no sooner", async () => {
  const act = { kind: "rewrite", rewrite: untagged } as const
  bench.proxy.fault({ method: "eth_getBlockByNumber", times: 100_000, phase: "after", act })
  const made = await publication(bench, { lie: "executes-never" })
  const other = await publication(bench, { lie: "executes-never" })
  await execute(bench, other)
  const deadline = Number(authorizationOf(made.sponsorship).message.deadline)
  await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [deadline + 1])
  await mine(bench, 255)
  assert.strictEqual(observationOf((await look(bench, made)).sponsorship).state, "pending")
  const { sponsorship, plan } = await look(bench, other)
  assert.strictEqual(sponsorship.state, "completed")
  assert.deepInclude(stepOf(plan).receipt, { finality: "unknown", confirmations: 256 })
  await mine(bench, 1)
  await comesTo(bench, made, "lapsed")
  bench.proxy.clearFaults()
})
