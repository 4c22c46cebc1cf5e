import { Address } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { Project } from "../../shared/inputs/Parts.ts"
import { authority, Choice, HOOKS } from "../Schemas.ts"

export const prepareBuybackHook = declarePlan({
  id: "prepare_buyback_hook",
  plan: "setHookFor",
  sources: ["onchain"],
  title: "Prepare a buyback hook",
  description: "Plans the choice of a project's buyback hook in the registry.",
  input: strict({ project: Project, account: Address, hook: Address }),
  summary: strict({
    registry: Address,
    authority,
    previousHook: Choice,
    cohortDefault: Choice,
    effectiveHookAfter: Choice
  }),
  problems: [...HOOKS, "REGISTRY_NOT_CONFIGURED", "HOOK_LOCKED", "HOOK_NOT_ALLOWED"]
})
