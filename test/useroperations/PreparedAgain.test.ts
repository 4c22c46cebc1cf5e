/** Steps whose operation was never sent from here are paid once: another one of theirs waits until the chain tells what became of the former. */
import { afterAll, assert, describe, it } from "vitest"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import {
  carriedByAnybody,
  endsNow,
  hearNothingLong,
  passNonceOver,
  signedOperation
} from "./support/Carried.ts"
import {
  askOperation,
  envelopeOf,
  preparedOperation,
  sendOperation,
  shownOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "./support/Operating.ts"

const bench = await startOperatingBench()
const { service } = bench

afterAll(() => bench.stop())

const isOfEntryPoint = ({ params }: Question): boolean =>
  String(Object(params[0]).address).toLowerCase() === ENTRY_POINT.toLowerCase()

describe("another operation of steps whose former one was never sent", () => {
  const overdue = async () => {
    const made = await signedOperation(bench)
    await endsNow(bench, made.operation)
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

  const elsewhereOf = async ({ bound, operation }: Awaited<ReturnType<typeof overdue>>) => {
    const { observation, nextAction } = await shownOperation(service, bound.owner, operation)
    return [observation?.elsewhere, nextAction.kind]
  }

  /** While its node tells of no events. */
  const unheard = async <A>(act: () => Promise<A>): Promise<A> => {
    const rewrite = (question: Question, result: unknown) =>
      question.method === "eth_getLogs" && isOfEntryPoint(question) ? [] : result
    bench.proxy.fault({
      ...{ method: "eth_getLogs", times: 100, phase: "after" },
      act: { kind: "rewrite", rewrite }
    })
    const done = await act()
    bench.proxy.clearFaults()
    return done
  }

  it.each([2, 70])(
    "is refused where its node knows of the nonce %i blocks before it knows of the event",
    async blocks => {
      const made = await overdue()
      const { bound, operation, signature, again } = made
      await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
      await mine(bench, blocks)
      for (const _ of [1, 2]) {
        const { detail } = await assertProblem(await unheard(again), "RPC_UNAVAILABLE")
        assert.include(detail, operation.id)
        assert.deepStrictEqual(await unheard(() => elsewhereOf(made)), ["unknown", "wait"])
      }
      await hearNothingLong(bench, operation)
      const { context } = await assertProblem(await again(), "USER_OPERATION_CONFLICT")
      assert.deepStrictEqual(context, { operationId: operation.id })
    }
  )

  it("is prepared where its wallet passed that one's nonce over, once that was final for long enough", async () => {
    const made = await overdue()
    const { bound, operation, again } = made
    await passNonceOver(bench, bound)
    await mine(bench, 2)
    await assertProblem(await again(), "RPC_UNAVAILABLE")
    await mine(bench, 70)
    await assertProblem(await again(), "RPC_UNAVAILABLE")
    assert.deepStrictEqual(await elsewhereOf(made), ["unknown", "wait"])
    await hearNothingLong(bench, operation)
    assert.deepStrictEqual(await elsewhereOf(made), ["unknown", "wait"])
    assert.deepStrictEqual(await elsewhereOf(made), ["superseded", "prepare-again"])
    const next = await again()
    assert.deepStrictEqual([next.status, (await next.json()).operation.nonce], [201, "0x1"])
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
    const { bound, plan, operation, signature } = await signedOperation(bench)
    const other = await preparedOperation(service, bound.owner, await walletPlan(bench, bound))
    await endsNow(bench, operation)
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
