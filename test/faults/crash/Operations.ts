/** A wallet's operations, asked for, signed, sent and looked at by one who may. */
import type { Hex } from "viem"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import type { Speaker } from "./Speaker.ts"
import type { Told } from "./Told.ts"

const POLL_MILLIS = 30
const PATIENT_MILLIS = 1_000
const OPERATIONS = "/api/v1/user-operations"

/** Longer each time, since what a dead process has claimed is its own for a while. */
const pause = (times: number) =>
  new Promise<void>(resolve => setTimeout(resolve, Math.min(POLL_MILLIS * times, PATIENT_MILLIS)))

/** With the envelope of those whose operation it is. */
export interface SignedOperation {
  readonly operation: PublicUserOperation
  readonly signature: Hex
}

/** What it can no more be sent for. */
const OVER = ["USER_OPERATION_EXPIRED", "SESSION_NOT_ACTIVE", "USER_OPERATION_NONCE_CHANGED"]

export const operationsBy = (
  { ask }: Speaker,
  sign: (operation: PublicUserOperation) => Promise<Hex>,
  under: { readonly sessionId?: string } = {}
) => {
  const prepare = async (plan: Plan, key: string, to?: string): Promise<SignedOperation> => {
    const body = { planId: plan.id, stepIndexes: [0], ...under }
    const asked = { route: "operate", method: "POST", target: OPERATIONS, key, body } as const
    const { operation, status, code } = await ask({ ...asked, to })
    if (operation === undefined) throw new Error(`an operation was refused: ${status} ${code}`)
    return { operation, signature: await sign(operation) }
  }

  const send = (
    { operation: { id }, signature }: SignedOperation,
    key: string,
    to?: string
  ): Promise<Told> => {
    const target = `${OPERATIONS}/${id}/submissions`
    return ask({ route: "send", method: "POST", target, key, body: { signature }, to })
  }

  const look = async (signed: SignedOperation, to?: string): Promise<PublicUserOperation> => {
    const target = `${OPERATIONS}/${signed.operation.id}`
    for (let looks = 1, first = to; ; looks++, first = undefined) {
      const { operation, status, code } = await ask({ route: "look", method: "GET", target, to: first })
      if (operation !== undefined) return operation
      if (code !== "CONCURRENT_UPDATE") throw new Error(`an operation is not shown: ${status} ${code}`)
      await pause(looks)
    }
  }

  /** Under the same key, until it is known to be sent, or can be no more. */
  const seeToIt = async (signed: SignedOperation, key: string): Promise<void> => {
    for (let tries = 1; (await look(signed)).state === "prepared"; tries++) {
      if (OVER.includes((await send(signed, key)).code ?? "")) return
      await pause(tries)
    }
  }
  return { prepare, send, look, seeToIt }
}

export type Operations = ReturnType<typeof operationsBy>
