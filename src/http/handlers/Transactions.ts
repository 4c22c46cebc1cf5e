import { Effect } from "effect"
import { submitBundle } from "../../direct/SubmitBundle.ts"
import { submitStep } from "../../direct/SubmitStep.ts"
import { showRefreshed } from "../../dispatch/ShowRefreshed.ts"
import { simulateStep } from "../../dispatch/SimulateStep.ts"
import { prepareContractCalls } from "../../operations/plans/ContractCalls.ts"
import { createPlan } from "../../plans/CreatePlan.ts"
import { listPlans, showPlan } from "../../plans/ReadPlans.ts"
import { failpoint } from "../../values/Failpoint.ts"
import * as Transactions from "../api/Transactions.ts"
import { onSigned, reply } from "../Route.ts"
import { createdPlan, preparedPlan, replayHeader } from "./PreparedPlan.ts"

export const transactionRoutes = [
  onSigned(
    Transactions.createPlan,
    Effect.fnUntraced(function* ({ body }) {
      if (body.operation !== "contract_calls")
        return yield* preparedPlan(body.operation, body.input, ["input"])
      return createdPlan(yield* createPlan(body.input.account, prepareContractCalls(body.input)))
    })
  ),
  onSigned(Transactions.listPlans, ({ query }) => Effect.map(listPlans(query), reply)),
  onSigned(Transactions.showPlan, ({ path, query }) =>
    Effect.map(query.refresh === "true" ? showRefreshed(path.id) : showPlan(path.id), reply)
  ),
  onSigned(Transactions.simulateStep, ({ path }) => Effect.map(simulateStep(path.id, path.step), reply)),
  onSigned(
    Transactions.submitStep,
    Effect.fnUntraced(function* ({ path, body }) {
      const { plan, dispatch, replayed } = yield* submitStep(path.id, path.step, body)
      yield* failpoint("answer.given")
      return reply({ plan, dispatch }, replayHeader(replayed))
    })
  ),
  onSigned(
    Transactions.submitBundle,
    Effect.fnUntraced(function* ({ path, body }) {
      const { answer, replayed } = yield* submitBundle(path.id, body.submissions)
      return reply(answer, replayHeader(replayed))
    })
  )
]
