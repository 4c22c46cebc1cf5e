/** The families of the operations that a process has; those of a team are one of their own. */
import { families } from "../generated/Families.ts"
import type { Declaration } from "./Declarations.ts"
import type { ListedFamily, ToldFamily } from "./OperationFamily.ts"

const familyOfTeam = (operations: ReadonlyArray<string>): ListedFamily => ({
  id: "extension",
  title: "Added by this deployment",
  references: ["/docs/operations"],
  limits: [],
  operations
})

export const listedFamilies = (declared: ReadonlyArray<Declaration>): ReadonlyArray<ListedFamily> => {
  const listed = new Set(families.flatMap(({ operations }) => operations))
  const added = declared.map(({ id }) => id).filter(id => !listed.has(id))
  return added.length === 0 ? families : [...families, familyOfTeam(added)]
}

export const toldFamilies = (declared: ReadonlyArray<Declaration>): ReadonlyArray<ToldFamily> => {
  const descriptions = new Map(declared.map(({ id, description }) => [id, description]))
  return listedFamilies(declared).map(({ operations, ...family }) => ({
    ...family,
    tools: operations.map(name => ({ name, description: descriptions.get(name) ?? "" }))
  }))
}
