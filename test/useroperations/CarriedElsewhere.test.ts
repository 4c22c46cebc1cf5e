/** Who has an operation as its owners signed it can have anybody carry it: handed in afterwards, it is followed and sent no more. */
import { encodeFunctionData } from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import { afterAll, assert, describe, it } from "vitest"
import type { PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { packedOperation } from "../../src/values/PackedOperation.ts"
import type { Hex } from "../../src/values/Scalars.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { ANYBODY, send } from "../sponsorship/support/Executing.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import {
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

const carriedByAnybody = async (by: Party, { id }: Pick<ShownOperation, "id">, signature: Hex) => {
  const told = await signedFetch(service, by, "GET", `/api/v1/user-operations/${id}`)
  const { operation }: PublicUserOperation = await told.json()
  return send(bench, {
    to: ENTRY_POINT,
    data: encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: "handleOps",
      args: [[packedOperation({ ...operation, signature })], ANYBODY]
    }),
    gas: 25_000_000
  })
}

describe("an operation that somebody else had carried before it is handed in", () => {
  it("is followed by its chain, and is not sent", async () => {
    const { bound, operation, signature } = await signed()
    const hash = await carriedByAnybody(bound.owner, operation, signature)
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
    await carriedByAnybody(bound.owner, other, await envelopeOf(other, bound.owners))
    await assertProblem(
      await sendOperation(service, bound.owner, operation, signature),
      "USER_OPERATION_NONCE_CHANGED"
    )
    assert.strictEqual((await shownOperation(service, bound.owner, operation)).state, "prepared")
  })
})
