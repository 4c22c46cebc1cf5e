/** Lists and shows plans from storage alone. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { decodeListCursor, encodeListCursor } from "./ListCursor.ts"
import { publicPlan } from "./PlanRow.ts"
import { PlanStore } from "./PlanStore.ts"

export interface PlanListQuery {
  readonly account?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export const listPlans = Effect.fn("ReadPlans.list")(function* ({ account, limit, cursor }: PlanListQuery) {
  const actor = yield* Principal
  const plans = yield* PlanStore
  const wallet = account?.toLowerCase()
  const listed = { list: "plans", filter: wallet } as const
  const after = cursor === undefined ? undefined : yield* decodeListCursor(actor, listed, cursor)
  const page = yield* plans.page(actor, { wallet, limit, after })
  const last = page.plans.at(-1)
  const nextCursor = page.more && last !== undefined ? yield* encodeListCursor(actor, listed, last) : null
  return { items: page.plans.map(publicPlan), nextCursor }
})

export const showPlan = Effect.fn("ReadPlans.show")(function* (id: string) {
  const plans = yield* PlanStore
  return publicPlan(yield* plans.find(id, yield* Principal))
})
