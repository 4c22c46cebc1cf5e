/** Sends operations of wallets that were bound for it, and sees what becomes of them. */
import { entryPoint07Abi } from "viem/account-abstraction"
import { assert } from "vitest"
import type { Hex } from "../../../src/values/Scalars.ts"
import { ENTRY_POINT } from "../../smartaccounts/support/Wallets.ts"
import { assertProblem } from "../../support/Problem.ts"
import { mine } from "../../support/RelayBench.ts"
import type { Party } from "../../support/SignedFetch.ts"
import { sqlOn } from "../../support/Sql.ts"
import { until } from "../../support/Until.ts"
import {
  type BoundTestWallet,
  boundWallet,
  envelopeOf,
  type OperatingBench,
  preparedOperation,
  type ShownOperation,
  sendOperation,
  shownOperation,
  timesSent,
  walletPlan
} from "./Operating.ts"

export const SEND = "eth_sendUserOperation"

/** With what its owners signed. */
export interface Prepared {
  readonly owner: Party
  readonly operation: ShownOperation
  readonly signature: Hex
}

export const sendingOn = (bench: OperatingBench) => {
  const { service, bundling } = bench

  const prepared = async (bound?: BoundTestWallet) => {
    const standing = bound ?? (await boundWallet(bench))
    const { owner, owners } = standing
    const plan = await walletPlan(bench, standing)
    const operation = await preparedOperation(service, owner, plan)
    const signature = await envelopeOf(operation, owners)
    return { ...standing, plan, operation, signature }
  }

  const send = ({ owner, operation, signature }: Prepared, options = {}, to = service) =>
    sendOperation(to, owner, operation, signature, options)

  const show = ({ owner, operation }: Pick<Prepared, "owner" | "operation">) =>
    shownOperation(service, owner, operation)

  const sent = async (one: Prepared): Promise<ShownOperation> => {
    const answer = await send(one)
    const told = await answer.json()
    assert.strictEqual(answer.status, 202, JSON.stringify(told))
    return told
  }

  /** As the bundler carries it out; blocks are mined meanwhile. */
  const executed = async ({ sender, nonce }: ShownOperation["operation"]) => {
    const { client } = bench.sandbox
    await until(
      async () => {
        await mine(bench, 1)
        return client.readContract({
          address: ENTRY_POINT,
          abi: entryPoint07Abi,
          functionName: "getNonce",
          args: [sender, 0n]
        })
      },
      next => next > BigInt(nonce)
    )
  }

  /** Keeps the bundler's answer back, or what is sent to it. */
  const heldAnswer = (phase: "before" | "after" = "after") => {
    let letGo = () => {}
    let taken = () => {}
    const released = new Promise<void>(resolve => {
      letGo = resolve
    })
    const reached = new Promise<void>(resolve => {
      taken = resolve
    })
    bundling.fault({ method: SEND, phase, act: { kind: "hold", reached: taken, released } })
    return { reached, letGo }
  }

  const isNeverSentAgain = async (one: Prepared) => {
    await assertProblem(await send(one), "USER_OPERATION_CONFLICT")
    assert.strictEqual(timesSent(bench, one.operation), 1)
  }

  const staysUnknown = async (one: Prepared) => {
    assert.strictEqual((await show(one)).state, "submission_unknown")
    await isNeverSentAgain(one)
  }

  /** Nothing of it is reserved. */
  const isUntouched = async (one: Prepared) => {
    const { id } = one.operation
    const rows = await sqlOn(
      service.databaseUrl,
      `SELECT 1 FROM operation_sends WHERE operation = $1
       UNION ALL SELECT 1 FROM transport_bindings WHERE binding_id = $1
       UNION ALL SELECT 1 FROM user_operations WHERE id = $1 AND claimed`,
      [id]
    )
    assert.deepStrictEqual(rows, [])
    assert.strictEqual(timesSent(bench, one.operation), 0)
    assert.strictEqual((await show(one)).state, "prepared")
  }

  return {
    isNeverSentAgain,
    staysUnknown,
    isUntouched,
    prepared,
    send,
    show,
    sent,
    executed,
    heldAnswer
  }
}
