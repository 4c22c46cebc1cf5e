import { Effect } from "effect"
import { Address, definePlanOperation, Project, strict } from "../../../src/service/main.ts"

export const operation = definePlanOperation({
  id: "prepare_nothing",
  plan: "nothing",
  sources: ["onchain"],
  title: "Prepare nothing",
  description: "For the test.",
  input: strict({ project: Project, account: Address }),
  summary: strict({}),
  problems: [],
  run: () => Effect.never
})
