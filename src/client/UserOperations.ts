/** TEMPORARY until w-wallet's lands. */
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import { type Caller, type Keyed, newIdempotencyKey } from "./Caller.ts"
import type { CarryMeans } from "./CarryOut.ts"
import type { ClientEndpoint } from "./Endpoints.ts"

const at = (method: "GET" | "POST", path: `/${string}`): ClientEndpoint<PublicUserOperation> => ({
  method,
  at: path,
  access: method === "GET" ? "signed" : "keyed"
})

export const userOperationMethods = (caller: Caller, { system }: CarryMeans) => ({
  userOperations: {
    prepare: async (
      planId: string,
      {
        stepIndexes,
        idempotencyKey = newIdempotencyKey(system)
      }: { stepIndexes?: ReadonlyArray<number> } & Keyed = {}
    ) => {
      const body = { planId, stepIndexes }
      const answer = await caller.answer(at("POST", "/api/v1/user-operations"), { body, idempotencyKey })
      return { operation: answer.body }
    },
    show: (id: string, query: { readonly wait?: number; readonly since?: number } = {}) =>
      caller.call(at("GET", "/api/v1/user-operations/:id"), { path: { id }, query: { ...query } }),
    list: (query: { readonly planId?: string } = {}) => {
      const list: ClientEndpoint<{ readonly items: ReadonlyArray<PublicUserOperation> }> = {
        method: "GET",
        at: "/api/v1/user-operations",
        access: "signed"
      }
      return caller.call(list, { query: { ...query } })
    },
    submit: async (
      id: string,
      body: { readonly signature: string },
      { idempotencyKey = newIdempotencyKey(system) }: Keyed = {}
    ) => {
      const answer = await caller.answer(at("POST", "/api/v1/user-operations/:id/submissions"), {
        path: { id },
        body,
        idempotencyKey
      })
      return { operation: answer.body }
    }
  }
})
