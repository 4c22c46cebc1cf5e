/** An operation that no block can execute any more is proved dead by a final one, and only then is its nonce free. */
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { OperationWatchStore } from "../../src/useroperations/OperationWatchStore.ts"
import { sweepOperations } from "../../src/useroperations/WatchOperations.ts"
import { BLOCKS_TO_FINALITY, confirm } from "../sponsorship/support/Executing.ts"
import { forgetStates } from "../support/ForgottenStates.ts"
import { keptAfter, NO_BLOCK } from "../support/KeptLook.ts"
import { metricValue } from "../support/MetricValue.ts"
import { payment, stepOf } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine, newPayer, type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import { sweep } from "../support/Sweeps.ts"
import { workerOf } from "../support/Worker.ts"
import {
  comesTo,
  execute,
  look,
  makeDue,
  newWallet,
  passValidity,
  record,
  type SentOperation,
  sentOperation,
  signedOperation,
  stateOf
} from "./support/Sent.ts"

let bench: RelayBench
let worker: ReturnType<typeof workerOf>

beforeAll(async () => {
  bench = await startRelayBench()
  worker = workerOf(bench)
})

afterAll(async () => {
  await worker.dispose()
  await bench.stop()
})

const counted = (name: string) => metricValue(bench.service, `service_${name}`)

/** Refused by the index that keeps a nonce for one operation. */
const takesNonce = async (made: SentOperation): Promise<boolean> => {
  const { owner, wallet } = made
  try {
    await sentOperation(bench, { owner, wallet, calls: [payment(bench, owner.key.address)] })
    return true
  } catch (error) {
    assert.match(String(error), /user_operations_of_nonces/)
    return false
  }
}

describe("an operation that was not executed", () => {
  it("expires once its validity is over at a final block, not at a young one", async () => {
    const made = await sentOperation(bench)
    await passValidity(bench, made, 1)
    assert.strictEqual(await stateOf(bench, made), "pending")
    await mine(bench, BLOCKS_TO_FINALITY)
    const before = await counted('executions_total{transport="user-operation",outcome="expired"}')
    await comesTo(bench, made, "lapsed")
    assert.strictEqual(
      await counted('executions_total{transport="user-operation",outcome="expired"}'),
      before + 1
    )
    const step = stepOf(await look(bench, made))
    assert.strictEqual(step.execution?.transport, "eip4337-user-operation")
  })

  it("is found dead by a sweep, without anybody who asks, and is looked at no more", async () => {
    const made = await sentOperation(bench)
    await passValidity(bench, made, BLOCKS_TO_FINALITY)
    await makeDue(bench, made)
    assert.isAbove(await worker.runPromise(sweep), 0)
    assert.isString((await record(bench, made)).dead_hash)
    await makeDue(bench, made)
    await worker.runPromise(sweep)
    const [row] = await sqlOn(bench.service.databaseUrl, "SELECT sweep_at FROM plans WHERE id = $1", [
      made.plan.id
    ])
    assert.isNull(row?.sweep_at)
  })

  it("keeps its nonce until it is dead", async () => {
    const made = await sentOperation(bench)
    assert.isFalse(await takesNonce(made))
    await passValidity(bench, made, BLOCKS_TO_FINALITY)
    assert.isFalse(await takesNonce(made))
    await comesTo(bench, made, "lapsed")
    assert.isTrue(await takesNonce(made))
  })

  it("lives again when the final block of its proof is gone, and is counted", async () => {
    const made = await sentOperation(bench)
    const snapshot = await rpc(bench.chain.url, "evm_snapshot", [])
    await passValidity(bench, made, BLOCKS_TO_FINALITY)
    const [proofs, contradictions] = await Promise.all([
      counted("dead_proofs_total"),
      counted("finality_contradictions_total")
    ])
    await comesTo(bench, made, "lapsed")
    assert.strictEqual(await counted("dead_proofs_total"), proofs + 1)
    await rpc(bench.chain.url, "evm_revert", [snapshot])
    await mine(bench, BLOCKS_TO_FINALITY + 2)
    await makeDue(bench, made)
    await worker.runPromise(sweepOperations)
    assert.notStrictEqual(await stateOf(bench, made), "lapsed")
    assert.strictEqual(await counted("finality_contradictions_total"), contradictions + 1)
    await execute(bench, [made])
    await confirm(bench)
    assert.strictEqual(await stateOf(bench, made), "confirmed")
  })

  it("is looked after until its block is shown, however often it was asked for in vain", async () => {
    const made = await sentOperation(bench)
    await passValidity(bench, made, BLOCKS_TO_FINALITY)
    await comesTo(bench, made, "lapsed")
    const hoursAfter = async (looks: number) => {
      const text = "UPDATE user_operations SET sweep_attempts = $2, sweep_at = 0 WHERE plan = $1"
      await sqlOn(bench.service.databaseUrl, text, [made.plan.id, looks])
      await worker.runPromise(sweepOperations)
      const [row] = await sqlOn(
        bench.service.databaseUrl,
        "SELECT round((sweep_at - unix_millis()) / 3600000.0)::integer AS hours FROM user_operations WHERE plan = $1",
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

  it("stays due where a look that began before it lived again is kept after that", async () => {
    const made = await sentOperation(bench)
    await passValidity(bench, made, BLOCKS_TO_FINALITY)
    await comesTo(bench, made, "lapsed")
    const kept = await worker.runPromise(
      keptAfter(
        made.plan.id,
        Effect.flatMap(OperationWatchStore, store => store.revived([{ id: made.id, ...NO_BLOCK }]))
      )
    )
    assert.deepStrictEqual([...kept], [])
    const [row] = await sqlOn(bench.service.databaseUrl, "SELECT sweep_at FROM plans WHERE id = $1", [
      made.plan.id
    ])
    assert.isNotNull(row?.sweep_at)
  })

  it("is proved dead where the node has the state of its final block no more, by the latest", async () => {
    const made = await sentOperation(bench)
    await passValidity(bench, made, BLOCKS_TO_FINALITY)
    await forgetStates(bench)
    await comesTo(bench, made, "lapsed")
    bench.proxy.clearFaults()
  })

  it("is neither dead nor superseded where only the latest block tells that its nonce is used", async () => {
    const made = await sentOperation(bench)
    await passValidity(bench, made, BLOCKS_TO_FINALITY)
    await forgetStates(bench)
    await execute(bench, [await signedOperation(bench, made.wallet, made.plan.calls)])
    assert.strictEqual(await stateOf(bench, made), "pending")
    bench.proxy.clearFaults()
    await comesTo(bench, made, "lapsed")
  })

  it("is not proved dead by a block with other code of the entry point", async () => {
    const made = await sentOperation(bench)
    const { operation } = made
    const code = await rpc(bench.chain.url, "eth_getCode", [operation.sender, "latest"])
    await rpc(bench.chain.url, "anvil_setCode", [operation.sender, `${code}00`])
    await passValidity(bench, made, BLOCKS_TO_FINALITY)
    assert.strictEqual(await stateOf(bench, made), "pending")
    await rpc(bench.chain.url, "anvil_setCode", [operation.sender, code])
    await mine(bench, BLOCKS_TO_FINALITY)
    await comesTo(bench, made, "lapsed")
  })
})

describe("an operation that was executed", () => {
  it("in the last block that may is never dead", async () => {
    const made = await sentOperation(bench)
    await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [made.validUntil])
    await execute(bench, [made])
    await mine(bench, BLOCKS_TO_FINALITY)
    assert.strictEqual(await stateOf(bench, made), "confirmed")
    assert.isNull((await record(bench, made)).dead_hash)
  })
})

describe("submissions of which nobody knows whether they arrived", () => {
  it("stand out until their chain tells", async () => {
    const kind = '{transport="user-operation"}'
    const owner = await newPayer(bench)
    const made = await sentOperation(bench, { owner, wallet: await newWallet(bench), outcome: "unknown" })
    await sqlOn(
      bench.service.databaseUrl,
      "UPDATE operation_sends SET reserved_at = reserved_at - 90000, expires_at = expires_at - 90000 WHERE operation = $1",
      [made.id]
    )
    const value = (name: string) => metricValue(bench.service, `service_${name}${kind}`)
    await worker.runPromise(sweepOperations)
    assert.strictEqual(await value("unknown_submissions"), 1)
    assert.isAtLeast(await value("oldest_unknown_submission_seconds"), 90)
    await execute(bench, [made])
    assert.strictEqual(await stateOf(bench, made), "confirming")
    await worker.runPromise(sweepOperations)
    assert.strictEqual(await value("unknown_submissions"), 0)
  })
})
