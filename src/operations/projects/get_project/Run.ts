import { showProject } from "../../../projects/ShowProject.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { getProject } from "./Declaration.ts"

export const runGetProject = defineOperation(getProject, ({ project }, source = "onchain") =>
  showProject(project, source)
)
