import { Effect } from "effect"
import { submitBundle } from "../../direct/SubmitBundle.ts"
import { submitStep } from "../../direct/SubmitStep.ts"
import { showRefreshed } from "../../dispatch/ShowRefreshed.ts"
import { simulateStep } from "../../dispatch/SimulateStep.ts"
import { prepareContractCalls } from "../../operations/plans/ContractCalls.ts"
import { createPlan } from "../../plans/CreatePlan.ts"
import { listPlans, showPlan } from "../../plans/ReadPlans.ts"
import { failpoint } from "../../values/Failpoint.ts"
import { CALLS_PROBLEMS, isContractCalls, transactionsGroup } from "../api/Transactions.ts"
import { handling, refusingOnly, reply } from "../Handlers.ts"
import { createdPlan, replayHeader, type StoredPreparation } from "./PreparedPlan.ts"

export const transactionsHandlers = <R>(preparedPlan: StoredPreparation<R>) =>
  handling(transactionsGroup, {
    createPlan: Effect.fnUntraced(function* ({ body }) {
      if (!isContractCalls(body)) return yield* preparedPlan(body.operation, body.input, ["input"])
      const created = createPlan(body.input.account, prepareContractCalls(body.input))
      return createdPlan(yield* refusingOnly(CALLS_PROBLEMS)(created))
    }),
    listPlans: ({ query }) => Effect.map(listPlans(query), reply),
    getPlan: ({ path, query }) =>
      Effect.map(query.refresh === "true" ? showRefreshed(path.id) : showPlan(path.id), reply),
    simulateStep: ({ path }) => Effect.map(simulateStep(path.id, path.step), reply),
    submitStep: Effect.fnUntraced(function* ({ path, body }) {
      const { plan, dispatch, replayed } = yield* submitStep(path.id, path.step, body)
      yield* failpoint("answer.given")
      return reply({ plan, dispatch }, replayHeader(replayed))
    }),
    submitBundle: Effect.fnUntraced(function* ({ path, body }) {
      const { answer, replayed } = yield* submitBundle(path.id, body.submissions)
      return reply(answer, replayHeader(replayed))
    })
  })
