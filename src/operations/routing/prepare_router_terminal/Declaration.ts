import { Schema } from "effect"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { Project } from "../../shared/inputs/Parts.ts"
import { authority, Choice, PROJECT } from "../Schemas.ts"

export const prepareRouterTerminal = declarePlan({
  id: "prepare_router_terminal",
  plan: "setTerminalFor",
  sources: ["onchain"],
  title: "Prepare a router terminal",
  description: "Plans the choice of a project's router terminal in the registry.",
  input: strict({ project: Project, account: Address, terminal: Address }),
  summary: strict({
    registry: Address,
    authority,
    isListed: ObservedOf(Schema.Boolean).annotations({
      description: "whether the project's terminals include the registry; payments pass a router only then"
    }),
    previousTerminal: Choice,
    cohortDefault: Choice,
    effectiveTerminalAfter: Choice,
    effectivePathAfter: ObservedOf(Schema.Array(Address))
  }),
  problems: [...PROJECT, "CIRCULAR_ROUTER", "TERMINAL_LOCKED", "TERMINAL_NOT_ALLOWED"]
})
