/** The paths on which operations are prepared as plans. */
import { Schema } from "effect"
import { PLAN_PROBLEMS, PROBLEMS_BY_SOURCE } from "../../operations/framework/OperationProblems.ts"
import type { AnyDeclaredPlan } from "../../operations/framework/PlanOperation.ts"
import { PlanBasis } from "../../operations/framework/PlanSummary.ts"
import { Plan } from "../../plans/Plan.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { STORING } from "./CommonProblems.ts"
import { declare } from "./Declare.ts"

/** Beyond what every signed request can meet. */
const PREPARING: ReadonlyArray<ProblemCode> = [...PLAN_PROBLEMS, ...STORING]

/** What one operation or another refuses with. */
export const anyPrepared = (plans: ReadonlyArray<AnyDeclaredPlan>): ReadonlyArray<ProblemCode> => [
  ...PREPARING,
  ...PROBLEMS_BY_SOURCE.onchain,
  ...plans.flatMap(({ problems }) => problems)
]

const access = signed({ scope: "plan", idempotency: "required" })

export const prepareOperation = (plans: ReadonlyArray<AnyDeclaredPlan>) =>
  declare({
    name: "prepareOperation",
    method: "POST",
    at: "/api/v1/operations/:id/plans",
    access,
    summary: "Prepare an operation as a plan",
    description:
      "Prepares any operation of transactions, as its descriptor says, and stores the plan. The same Idempotency-Key with the same request gives the stored plan again, without any new look at a chain.",
    path: strict({
      id: Schema.String.annotations({
        description: "the id of an operation that prepares transactions",
        jsonSchema: { type: "string", enum: plans.map(({ id }) => id) }
      })
    }),
    body: Schema.Unknown,
    shown: {
      body: Schema.Unknown.annotations({
        description: "the operation's input",
        jsonSchema: { type: "object", description: "the operation's input" }
      })
    },
    success: Plan,
    status: 201,
    problems: ["OPERATION_NOT_FOUND", ...anyPrepared(plans)]
  })

const planOf = (declared: AnyDeclaredPlan) =>
  strict({ ...Plan.fields, summary: Schema.extend(declared.summary, PlanBasis) })

const nameOf = ({ id }: AnyDeclaredPlan): string => `operation_${id}`

/** The path of its own that each operation has. */
export const planPath = (declared: AnyDeclaredPlan) =>
  declare({
    name: nameOf(declared),
    method: "POST",
    at: `/api/v1/operations/${declared.id}/plans`,
    access,
    summary: declared.title,
    description: declared.description,
    body: Schema.Unknown,
    success: Plan,
    status: 201,
    shown: { body: declared.input, success: planOf(declared) },
    instance: { of: "prepareOperation", path: { id: declared.id } },
    problems: [...PREPARING, ...PROBLEMS_BY_SOURCE.onchain, ...declared.problems]
  })
