/** Who has an operation as its owners signed it can have anybody carry it: handed in afterwards, it is followed and sent no more. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import {
  carriedByAnybody,
  endsNow,
  hearNothingLong,
  passNonceOver,
  signedOperation
} from "./support/Carried.ts"
import {
  envelopeOf,
  preparedOperation,
  sendOperation,
  shownOperation,
  startOperatingBench,
  timesSent
} from "./support/Operating.ts"

const bench = await startOperatingBench()
const { service } = bench

afterAll(() => bench.stop())

const BLOCKS_TO_FINALITY = 70

describe("an operation that somebody else had carried before it is handed in", () => {
  it("is followed by its chain, and is not sent", async () => {
    const { bound, operation, signature } = await signedOperation(bench)
    const hash = await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    const answer = await sendOperation(service, bound.owner, operation, signature)
    assert.strictEqual(answer.status, 202, await answer.clone().text())
    await mine(bench)
    const after = await shownOperation(service, bound.owner, operation)
    assert.deepStrictEqual([after.state, after.observation?.transactionHash], ["confirmed", hash])
    assert.strictEqual(timesSent(bench, operation), 0)
  })

  it("is refused where what was carried is another one of its nonce", async () => {
    const { bound, plan, operation, signature } = await signedOperation(bench)
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

  it("is not said to have lost its nonce where its chain does not say to what", async () => {
    const { bound, operation, signature } = await signedOperation(bench)
    await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    const rewrite = ({ method, params }: Question, result: unknown) =>
      method === "eth_getLogs" && Object(params[0]).address === ENTRY_POINT ? [] : result
    bench.proxy.fault({
      ...{ method: "eth_getLogs", times: 100, phase: "after" },
      act: { kind: "rewrite", rewrite }
    })
    const answer = await sendOperation(service, bound.owner, operation, signature)
    bench.proxy.clearFaults()
    await assertProblem(answer, "RPC_UNAVAILABLE")
  })

  it("is followed though the time to send it is over", async () => {
    const { bound, operation, signature } = await signedOperation(bench)
    const hash = await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    await endsNow(bench, operation)
    const answer = await sendOperation(service, bound.owner, operation, signature)
    assert.strictEqual(answer.status, 202, await answer.clone().text())
    await mine(bench)
    const after = await shownOperation(service, bound.owner, operation)
    assert.deepStrictEqual([after.state, after.observation?.transactionHash], ["confirmed", hash])
    assert.strictEqual(timesSent(bench, operation), 0)
  })

  it("is not said to have expired where its chain does not say whether it was executed", async () => {
    const { bound, operation, signature } = await signedOperation(bench)
    await carriedByAnybody(bench, { owner: bound.owner, operation, signature })
    await endsNow(bench, operation)
    const act = { kind: "error", code: -32_000, message: "no events are kept" } as const
    bench.proxy.fault({ method: "eth_getLogs", times: 100, phase: "after", act })
    const answer = await sendOperation(service, bound.owner, operation, signature)
    bench.proxy.clearFaults()
    await assertProblem(answer, "RPC_UNAVAILABLE")
    assert.strictEqual((await shownOperation(service, bound.owner, operation)).state, "prepared")
  })
})

/** Of more blocks than its node looks through at once; eight such looks are one, and the next goes on. */
const isWide = ({ method, params }: Question): boolean => {
  const { fromBlock, toBlock } = Object(params[0])
  return method === "eth_getLogs" && Number(toBlock) - Number(fromBlock) >= 10
}

describe("an operation whose nonce another one used, handed in after its time", () => {
  const superseded = async () => {
    const { bound, plan, operation, signature } = await signedOperation(bench)
    const other = await preparedOperation(service, bound.owner, plan)
    const carried = { owner: bound.owner, operation: other, signature: await envelopeOf(other, bound.owners) }
    await carriedByAnybody(bench, carried)
    await endsNow(bench, operation)
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

const shown = async (made: Awaited<ReturnType<typeof signedOperation>>) => {
  const { observation, nextAction } = await shownOperation(service, made.bound.owner, made.operation)
  return [observation?.elsewhere, nextAction.kind]
}

const carriedForGood = async () => {
  const made = await signedOperation(bench)
  await carriedByAnybody(bench, { ...made, owner: made.bound.owner })
  await endsNow(bench, made.operation)
  await mine(bench, BLOCKS_TO_FINALITY)
  return made
}

/** As after a look that found nothing. */
const searchedToHead = async ({ operation: { id } }: Awaited<ReturnType<typeof signedOperation>>) => {
  const { number, hash } = await rpc(bench.chain.url, "eth_getBlockByNumber", ["latest", false])
  const searched = "UPDATE user_operations SET searched_block = $2, searched_hash = $3 WHERE id = $1"
  await sqlOn(service.databaseUrl, searched, [id, Number(number), hash])
}

describe("an operation whose nonce went by in a final block without an event", () => {
  it("is looked for from the start again, for its node may have told too little", async () => {
    const made = await carriedForGood()
    await searchedToHead(made)
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    assert.deepStrictEqual(await shown(made), ["executed", "none"])
  })

  it("is superseded a while after that, and a while more where the chain took that block back", async () => {
    const made = await signedOperation(bench)
    await passNonceOver(bench, made.bound)
    await endsNow(bench, made.operation)
    await mine(bench, BLOCKS_TO_FINALITY)
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    await hearNothingLong(bench, made.operation)
    await sqlOn(
      service.databaseUrl,
      `UPDATE silent_nonces SET hash = '0x${"00".repeat(32)}' WHERE operation = $1`,
      [made.operation.id]
    )
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    await hearNothingLong(bench, made.operation)
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    assert.deepStrictEqual(await shown(made), ["superseded", "prepare-again"])
  })

  it("is found all the same where its node told no logs while its block was looked through last", async () => {
    const made = await carriedForGood()
    bench.proxy.fault({
      ...{ method: "eth_getLogs", times: 100, phase: "after" },
      act: {
        kind: "rewrite",
        rewrite: ({ method }: Question, result: unknown) => (method === "eth_getLogs" ? [] : result)
      }
    })
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    bench.proxy.clearFaults()
    await hearNothingLong(bench, made.operation)
    await searchedToHead(made)
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    assert.deepStrictEqual(await shown(made), ["executed", "none"])
  })
})

/** The last: its chain is ahead of its service afterwards. */
describe("the record of an operation whose time was over before it was handed in", () => {
  let passedOver: Awaited<ReturnType<typeof signedOperation>> | undefined

  /** While the chain's time is the service's. */
  beforeAll(async () => {
    const made = await signedOperation(bench)
    passedOver = made
    await passNonceOver(bench, made.bound)
    await endsNow(bench, made.operation)
    await sqlOn(
      service.databaseUrl,
      "UPDATE user_operations SET valid_until = valid_until + 1000000 WHERE id = $1",
      [made.operation.id]
    )
  })

  it("tells that somebody had it executed, and to take that up", async () => {
    const made = await signedOperation(bench)
    await endsNow(bench, made.operation)
    assert.deepStrictEqual(await shown(made), ["open", "prepare-again"])
    await carriedByAnybody(bench, { ...made, owner: made.bound.owner })
    assert.deepStrictEqual(await shown(made), ["executed", "none"])
  })

  it("tells that another one was, by its nonce", async () => {
    const made = await signedOperation(bench)
    const other = await preparedOperation(service, made.bound.owner, made.plan)
    const signature = await envelopeOf(other, made.bound.owners)
    await carriedByAnybody(bench, { owner: made.bound.owner, operation: other, signature })
    await endsNow(bench, made.operation)
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    await mine(bench, BLOCKS_TO_FINALITY)
    assert.deepStrictEqual(await shown(made), ["superseded", "prepare-again"])
  })

  it("tells nothing while it may be handed in, and who has its plan nothing of what left otherwise", async () => {
    const made = await signedOperation(bench)
    assert.deepStrictEqual(await shown(made), [undefined, "sign"])
    const other = await preparedOperation(service, made.bound.owner, made.plan)
    const signature = await envelopeOf(other, made.bound.owners)
    assert.strictEqual((await sendOperation(service, made.bound.owner, other, signature)).status, 202)
    await endsNow(bench, made.operation)
    assert.deepStrictEqual(await shown(made), [undefined, "none"])
  })

  it("is in doubt where its chain does not say", async () => {
    const made = await signedOperation(bench)
    await carriedByAnybody(bench, { ...made, owner: made.bound.owner })
    await endsNow(bench, made.operation)
    const act = { kind: "error", code: -32_000, message: "no events are kept" } as const
    bench.proxy.fault({ method: "eth_getLogs", times: 100, phase: "after", act })
    const told = await shown(made)
    bench.proxy.clearFaults()
    assert.deepStrictEqual(told, ["unknown", "wait"])
  })

  it("tells that no block can execute it once one is later than its end", async () => {
    const made = await signedOperation(bench)
    await endsNow(bench, made.operation)
    await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [made.operation.signing.validUntil + 1])
    await mine(bench)
    assert.deepStrictEqual(await shown(made), ["open", "prepare-again"])
    await mine(bench, BLOCKS_TO_FINALITY)
    assert.deepStrictEqual(await shown(made), ["lapsed", "prepare-again"])
  })

  it("is looked for on from where the look before ended", async () => {
    const made = passedOver ?? assert.fail("none was passed over")
    await mine(bench, 1_500)
    bench.proxy.fault({
      ...{ method: "eth_getLogs", times: 10_000, phase: "after" },
      act: { kind: "error", code: -32_000, message: "10 blocks at most", to: isWide }
    })
    assert.deepStrictEqual(await shown(made), ["unknown", "wait"])
    const told = await until(
      async () => {
        await hearNothingLong(bench, made.operation)
        return shown(made)
      },
      ([elsewhere]) => elsewhere !== "unknown"
    )
    bench.proxy.clearFaults()
    assert.deepStrictEqual(told, ["superseded", "prepare-again"])
  })
})
