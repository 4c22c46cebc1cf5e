import { Effect } from "effect"
import { chooseSource } from "../../operations/framework/ChooseSource.ts"
import { getProject } from "../../operations/projects/get_project/Declaration.ts"
import { showIndexedOmnichain } from "../../projects/IndexedOmnichain.ts"
import type { OmnichainAnswer } from "../../projects/OmnichainSchemas.ts"
import { type GroupQuery, showOmnichain } from "../../projects/OmnichainView.ts"
import { showProject, type WantedProject } from "../../projects/ShowProject.ts"
import { ProjectsGroup } from "../api/Projects.ts"
import { handling, reply } from "../Handlers.ts"

type Named = string | undefined

/** Both routes have the sources of the operation that shows a project. */
const sourceOf = (named: Named) => Effect.map(chooseSource(getProject, named), (source = "onchain") => source)

const project = Effect.fnUntraced(function* (wanted: WantedProject, named: Named) {
  return reply(yield* showProject(wanted, yield* sourceOf(named)))
})

const omnichain = Effect.fnUntraced(function* (wanted: GroupQuery, named: Named) {
  const source = yield* sourceOf(named)
  const answer: OmnichainAnswer =
    source === "onchain" ? yield* showOmnichain(wanted) : yield* showIndexedOmnichain(wanted)
  return reply(answer)
})

export const projectsHandlers = handling(ProjectsGroup, {
  getProject: ({ path, query }) => project(path, query.source),
  getOmnichainProject: ({ path, query: { maxMembers, source } }) => omnichain({ ...path, maxMembers }, source)
})
