/** Who has an operation as its owners signed it can have anybody carry it: handed in afterwards, it is followed and sent no more. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { carriedByAnybody } from "./support/Carried.ts"
import {
  askOperation,
  boundWallet,
  envelopeOf,
  preparedOperation,
  type ShownOperation,
  sendOperation,
  shownOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "./support/Operating.ts"

const bench = await startOperatingBench()
const { service } = bench

afterAll(() => bench.stop())

const signed = async () => {
  const bound = await boundWallet(bench)
  const plan = await walletPlan(bench, bound)
  const operation = await preparedOperation(service, bound.owner, plan)
  return { bound, plan, operation, signature: await envelopeOf(operation, bound.owners) }
}

const BLOCKS_TO_FINALITY = 70

const endsNow = ({ id }: Pick<ShownOperation, "id">) =>
  sqlOn(service.databaseUrl, "UPDATE user_operations SET expires_at = unix_millis() WHERE id = $1", [id])

describe("an operation that somebody else had carried before it is handed in", () => {
  it("is followed by its chain, and is not sent", async () => {
    const { bound, operation, signature } = await signed()
    const hash = await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    const answer = await sendOperation(service, bound.owner, operation, signature)
    assert.strictEqual(answer.status, 202, await answer.clone().text())
    await mine(bench)
    const after = await shownOperation(service, bound.owner, operation)
    assert.deepStrictEqual([after.state, after.observation?.transactionHash], ["confirmed", hash])
    assert.strictEqual(timesSent(bench, operation), 0)
  })

  it("is refused where what was carried is another one of its nonce", async () => {
    const { bound, plan, operation, signature } = await signed()
    const other = await preparedOperation(service, bound.owner, plan)
    await carriedByAnybody(bench, {
      owner: bound.owner,
      operation: other,
      signature: await envelopeOf(other, bound.owners)
    })
    await assertProblem(
      await sendOperation(service, bound.owner, operation, signature),
      "USER_OPERATION_NONCE_CHANGED"
    )
    assert.strictEqual((await shownOperation(service, bound.owner, operation)).state, "prepared")
  })

  it("is followed though the time to send it is over", async () => {
    const { bound, operation, signature } = await signed()
    const hash = await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    await endsNow(operation)
    const answer = await sendOperation(service, bound.owner, operation, signature)
    assert.strictEqual(answer.status, 202, await answer.clone().text())
    await mine(bench)
    const after = await shownOperation(service, bound.owner, operation)
    assert.deepStrictEqual([after.state, after.observation?.transactionHash], ["confirmed", hash])
    assert.strictEqual(timesSent(bench, operation), 0)
  })

  it("is not said to have expired where its chain does not say whether it was executed", async () => {
    const { bound, operation, signature } = await signed()
    await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    await endsNow(operation)
    const act = { kind: "error", code: -32_000, message: "no events are kept" } as const
    bench.proxy.fault({ method: "eth_getLogs", times: 100, phase: "after", act })
    const answer = await sendOperation(service, bound.owner, operation, signature)
    bench.proxy.clearFaults()
    await assertProblem(answer, "RPC_UNAVAILABLE")
    assert.strictEqual((await shownOperation(service, bound.owner, operation)).state, "prepared")
  })
})

const isOfEntryPoint = ({ params }: Question): boolean =>
  String(Object(params[0]).address).toLowerCase() === ENTRY_POINT.toLowerCase()

describe("another operation of steps whose former one was never sent", () => {
  const overdue = async () => {
    const made = await signed()
    await endsNow(made.operation)
    const { plan, bound } = made
    const again = () => askOperation(service, bound.owner, { planId: plan.id, stepIndexes: [0] })
    return { ...made, again }
  }

  it("is refused where somebody else had that one carried, which its signature takes up", async () => {
    const { bound, operation, signature, again } = await overdue()
    const { nextAction } = await shownOperation(service, bound.owner, operation)
    assert.include(nextAction.reason, "a block can still execute it")
    await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    const { context, detail } = await assertProblem(await again(), "USER_OPERATION_CONFLICT")
    assert.deepStrictEqual(context, { operationId: operation.id })
    assert.include(detail, operation.id)
    const answer = await sendOperation(service, bound.owner, operation, signature)
    assert.strictEqual(answer.status, 202, await answer.clone().text())
    await mine(bench)
    assert.strictEqual((await shownOperation(service, bound.owner, operation)).state, "confirmed")
    await assertProblem(await again(), "STEP_ALREADY_BOUND")
  })

  it("is refused where the chain does not say", async () => {
    const { bound, operation, signature, again } = await overdue()
    await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    const act = { kind: "error", code: -32_000, message: "no events are kept", to: isOfEntryPoint } as const
    bench.proxy.fault({ method: "eth_getLogs", times: 100, phase: "after", act })
    const answer = await again()
    bench.proxy.clearFaults()
    const { detail } = await assertProblem(answer, "RPC_UNAVAILABLE")
    assert.include(detail, operation.id)
  })

  it("is prepared where nothing has that one's nonce, or something else", async () => {
    const { bound, operation, again } = await overdue()
    const same = await again()
    assert.deepStrictEqual(
      [same.status, (await same.json()).operation.nonce],
      [201, operation.operation.nonce]
    )
    const other = await preparedOperation(service, bound.owner, await walletPlan(bench, bound))
    const signature = await envelopeOf(other, bound.owners)
    await carriedByAnybody(bench, { owner: bound.owner, operation: other, signature })
    await mine(bench)
    const next = await again()
    assert.deepStrictEqual([next.status, (await next.json()).operation.nonce], [201, "0x1"])
  })
})

describe("an operation that was prepared while another one of its steps had lost its nonce", () => {
  it("is refused once the chain shows that one executed after all", async () => {
    const { bound, plan, operation, signature } = await signed()
    const other = await preparedOperation(service, bound.owner, await walletPlan(bench, bound))
    await endsNow(operation)
    const before = await rpc(bench.chain.url, "evm_snapshot", [])
    const carried = { owner: bound.owner, operation: other, signature: await envelopeOf(other, bound.owners) }
    await carriedByAnybody(bench, carried)
    await assertProblem(
      await askOperation(service, bound.owner, { planId: plan.id, stepIndexes: [0] }),
      "RPC_UNAVAILABLE"
    )
    await mine(bench, 2)
    const next = await preparedOperation(service, bound.owner, plan)
    assert.strictEqual(next.operation.nonce, "0x1")
    await rpc(bench.chain.url, "evm_revert", [before])
    await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    await mine(bench, 2)
    const late = await sendOperation(service, bound.owner, next, await envelopeOf(next, bound.owners))
    const { context } = await assertProblem(late, "USER_OPERATION_CONFLICT")
    assert.deepStrictEqual(context, { operationId: operation.id })
    assert.strictEqual(timesSent(bench, next), 0)
  })
})

/** Of more blocks than its node looks through at once; eight such looks are one, and the next goes on. */
const isWide = ({ method, params }: Question): boolean => {
  const { fromBlock, toBlock } = Object(params[0])
  return method === "eth_getLogs" && Number(toBlock) - Number(fromBlock) >= 10
}

describe("an operation whose nonce another one used, handed in after its time", () => {
  const superseded = async () => {
    const { bound, plan, operation, signature } = await signed()
    const other = await preparedOperation(service, bound.owner, plan)
    const carried = { owner: bound.owner, operation: other, signature: await envelopeOf(other, bound.owners) }
    await carriedByAnybody(bench, carried)
    await endsNow(operation)
    return () => sendOperation(service, bound.owner, operation, signature)
  }

  const isSaid = async (answer: Response) => {
    const { detail } = await assertProblem(answer, "USER_OPERATION_EXPIRED")
    assert.include(detail, "something else used its nonce")
  }

  it("is refused for good by a node that looks through few blocks at once", async () => {
    const send = await superseded()
    await mine(bench, 100)
    bench.proxy.fault({
      ...{ method: "eth_getLogs", times: 1_000, phase: "after" },
      act: { kind: "error", code: -32_000, message: "10 blocks at most", to: isWide }
    })
    const answer = await send()
    bench.proxy.clearFaults()
    await isSaid(answer)
  })
})

/** The last: its chain is ahead of its service afterwards. */
describe("the record of an operation whose time was over before it was handed in", () => {
  let passedBy: Awaited<ReturnType<typeof signed>> | undefined

  /** While the chain's time is the service's. */
  beforeAll(async () => {
    const made = await signed()
    passedBy = made
    const other = await preparedOperation(service, made.bound.owner, made.plan)
    const signature = await envelopeOf(other, made.bound.owners)
    await carriedByAnybody(bench, { owner: made.bound.owner, operation: other, signature })
    await endsNow(made.operation)
    await sqlOn(
      service.databaseUrl,
      "UPDATE user_operations SET valid_until = valid_until + 1000000 WHERE id = $1",
      [made.operation.id]
    )
  })

  const shown = async (made: Awaited<ReturnType<typeof signed>>) => {
    const { observation, nextAction } = await shownOperation(service, made.bound.owner, made.operation)
    return [observation?.elsewhere, nextAction.kind]
  }

  it("tells that somebody had it executed, and to take that up", async () => {
    const made = await signed()
    await endsNow(made.operation)
    assert.deepStrictEqual(await shown(made), ["open", "prepare-again"])
    await carriedByAnybody(bench, { ...made, owner: made.bound.owner })
    assert.deepStrictEqual(await shown(made), ["executed", "none"])
  })

  it("tells that another one was, by its nonce", async () => {
    const made = await signed()
    const other = await preparedOperation(service, made.bound.owner, made.plan)
    const signature = await envelopeOf(other, made.bound.owners)
    await carriedByAnybody(bench, { owner: made.bound.owner, operation: other, signature })
    await endsNow(made.operation)
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    await mine(bench, BLOCKS_TO_FINALITY)
    assert.deepStrictEqual(await shown(made), ["superseded", "prepare-again"])
  })

  it("tells nothing while it may be handed in, and who has its plan nothing of what left otherwise", async () => {
    const made = await signed()
    assert.deepStrictEqual(await shown(made), [undefined, "sign"])
    const other = await preparedOperation(service, made.bound.owner, made.plan)
    const signature = await envelopeOf(other, made.bound.owners)
    assert.strictEqual((await sendOperation(service, made.bound.owner, other, signature)).status, 202)
    await endsNow(made.operation)
    assert.deepStrictEqual(await shown(made), [undefined, "none"])
  })

  it("is in doubt where its chain does not say", async () => {
    const made = await signed()
    await carriedByAnybody(bench, { ...made, owner: made.bound.owner })
    await endsNow(made.operation)
    const act = { kind: "error", code: -32_000, message: "no events are kept" } as const
    bench.proxy.fault({ method: "eth_getLogs", times: 100, phase: "after", act })
    const told = await shown(made)
    bench.proxy.clearFaults()
    assert.deepStrictEqual(told, ["unknown", "wait"])
  })

  it("tells that no block can execute it once one is later than its end", async () => {
    const made = await signed()
    await endsNow(made.operation)
    await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [made.operation.signing.validUntil + 1])
    await mine(bench)
    assert.deepStrictEqual(await shown(made), ["open", "prepare-again"])
    await mine(bench, BLOCKS_TO_FINALITY)
    assert.deepStrictEqual(await shown(made), ["lapsed", "prepare-again"])
  })

  it("is looked for on from where the look before ended", async () => {
    const made = passedBy ?? assert.fail("none was passed by")
    await mine(bench, 1_500)
    bench.proxy.fault({
      ...{ method: "eth_getLogs", times: 10_000, phase: "after" },
      act: { kind: "error", code: -32_000, message: "10 blocks at most", to: isWide }
    })
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    const told = await until(
      () => shown(made),
      ([elsewhere]) => elsewhere !== "unknown"
    )
    bench.proxy.clearFaults()
    assert.deepStrictEqual(told, ["superseded", "prepare-again"])
  })
})
