import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  type CallInput,
  callOf,
  contractCalls,
  payment,
  planned,
  requestPlan
} from "../support/PlannedCalls.ts"
import { mine, newPayer, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId } from "../support/Sandbox.ts"
import type { RunningService } from "../support/Service.ts"
import { signCall } from "../support/SignedCalls.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { submit, submitted } from "../support/Submissions.ts"

let owner: Party

const bench = await startRelayBench()

afterAll(() => bench.stop())

/** What the work costs a service that has not asked its chain anything yet, so that every proof is due. */
const cold = async (
  work: (service: RunningService) => Promise<Response>,
  status: number
): Promise<number> => {
  const replica = await bench.replica()
  try {
    const before = bench.proxy.roundTrips()
    const answer = await work(replica)
    assert.strictEqual(answer.status, status, await answer.text())
    return bench.proxy.roundTrips() - before
  } finally {
    await replica.stop()
  }
}

const payments = (count: number, over: CallInput = {}) =>
  Array.from({ length: count }, () => payment(bench, owner.key.address, over))

const terminal = () =>
  `chainId=31337&contractId=${encodeURIComponent(contractId(bench.manifest, "JBMultiTerminal"))}`

const submissionOf = async (calls: ReadonlyArray<CallInput>) => {
  const plan = await planned(bench, owner, { calls })
  const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
  return { plan, body: { rawSignedTransaction } }
}

describe("round trips to the node", () => {
  beforeAll(async () => {
    owner = await newPayer(bench)
  })

  it("are two at most for a resolution, also one that a project's record confirms", async () => {
    for (const more of ["", "&projectId=2&address="]) {
      const address = bench.manifest.deployments.find(({ alias }) => alias === "JBMultiTerminal")?.address
      const query = `${terminal()}${more}${more === "" ? "" : address}`
      const get = (service: RunningService) =>
        signedFetch(service, owner, "GET", `/api/v1/protocol/resolve?${query}`)
      assert.isAtMost(await cold(get, 200), 2)
    }
  })

  it("are two at most for a read", async () => {
    const query = `${terminal()}&function=${encodeURIComponent("accountingContextsOf(uint256)")}&args=${encodeURIComponent('["2"]')}`
    const get = (service: RunningService) =>
      signedFetch(service, owner, "GET", `/api/v1/protocol/read?${query}`)
    assert.isAtMost(await cold(get, 200), 2)
  })

  it("are three at most for a plan on one chain, however many calls it has", async () => {
    const projects = payments(32).map((call, index) => ({
      ...call,
      dependsOn: index === 0 ? [] : [index - 1]
    }))
    for (const calls of [payments(1), projects]) {
      const post = (service: RunningService) => requestPlan(service, owner, contractCalls(owner, calls))
      assert.isAtMost(await cold(post, 201), 3)
    }
  })

  it("are four at most for a preflight and its broadcast", async () => {
    const { plan, body } = await submissionOf(payments(1))
    const post = (service: RunningService) => submit(service, owner, plan, body)
    assert.isAtMost(await cold(post, 202), 4)
    await mine(bench)
  })

  it("are three at most for the refresh of a plan of 32 steps, mined or not", async () => {
    const plan = await planned(bench, owner, { calls: payments(32) })
    await rpc(bench.chain.url, "evm_setAutomine", [false])
    for (const [step, call] of plan.calls.entries()) {
      const rawSignedTransaction = await signCall(bench, owner, call)
      await submitted(bench.service, owner, plan, { rawSignedTransaction }, { step })
    }
    const get = (service: RunningService) =>
      signedFetch(service, owner, "GET", `/api/v1/plans/${plan.id}?refresh=true`)
    assert.isAtMost(await cold(get, 200), 3)
    for (const blocks of [1, 1, 3]) {
      await mine(bench, blocks)
      assert.isAtMost(await cold(get, 200), 3)
    }
  })
})
