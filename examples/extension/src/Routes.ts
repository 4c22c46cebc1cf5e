/** Routes of its own: the jar in a word for everybody, and a tip of one size for those in haste. */
import { Effect, Schema } from "effect"
import {
  Address,
  declareEndpoint,
  defineRoutes,
  open,
  Plan,
  Project,
  planProblems,
  preparingPlans,
  reply,
  signed,
  strict
} from "signed-request-service/service"
import { prepareTip } from "./PrepareTip.ts"
import { Thanks } from "./Thanks.ts"
import { TIP_JAR } from "./TipJar.ts"

const jar = declareEndpoint({
  name: "showTipJar",
  method: "GET",
  at: "/jar",
  access: open,
  summary: "Show the tip jar",
  description: "Which contract it is in the catalog.",
  success: strict({ contractId: Schema.String })
})

const thank = declareEndpoint({
  name: "thankProject",
  method: "POST",
  at: "/thanks",
  access: signed({ scope: "plan", idempotency: "required" }),
  summary: "Thank a project",
  description: "Prepares the usual tip as a plan; the same Idempotency-Key gives the stored plan again.",
  body: strict({ project: Project, account: Address }),
  success: Plan,
  status: 201,
  problems: planProblems([prepareTip.declaration])
})

const prepared = preparingPlans([prepareTip])

export const tipRoutes = defineRoutes({
  prefix: "/api/v1/x/tip-jar",
  name: "TipJar",
  description: "Tips for projects.",
  endpoints: [jar, thank],
  handlers: {
    showTipJar: () => Effect.succeed(reply({ contractId: TIP_JAR })),
    thankProject: ({ body }) =>
      Effect.flatMap(Thanks, usual => prepared(prepareTip.id, { ...body, ...usual }))
  }
})
