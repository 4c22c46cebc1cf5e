/** Which fields and relations of an entity are asked for, checked against its declaration. */
import { Either } from "effect"
import { excerpt } from "../values/Excerpt.ts"
import { type Column, type Entity, has, identityOf, identityRelationsOf, relatedTo } from "./Entities.ts"
import type { Json } from "./IndexerSchemas.ts"
import { LACKING_REASON, type Lacking } from "./Lacking.ts"
import { LIMITS } from "./Limits.ts"
import { InvalidFields, SelectionTooComplex, UnsupportedRelation } from "./refusals.ts"

export interface Selection {
  readonly entity: Entity
  readonly scalars: Set<string>
  readonly relations: Map<string, Selection>
}

type Refused = InvalidFields | SelectionTooComplex | UnsupportedRelation

const DEFAULT_SCALARS = 32
const MAXIMUM_PATH = 240

const empty = (entity: Entity): Selection => ({ entity, scalars: new Set(), relations: new Map() })

const invalid = (path: string, detail: string) =>
  new InvalidFields({ detail, context: { parameter: "fields", field: excerpt(path, MAXIMUM_PATH) } })

const refusedRelation = (entity: Entity, name: string, path: string): UnsupportedRelation | undefined => {
  const context = { parameter: "fields", field: path }
  const { lists = {}, refused = {} } = entity.facts
  if (Object.hasOwn(lists, name))
    return new UnsupportedRelation({ detail: "A list relation is read as its own entity.", context })
  const found = Object.hasOwn(refused, name) ? refused[name] : undefined
  if (found === undefined) return undefined
  const detail =
    found.lacks.length > 0
      ? `The source joins this relation without ${found.lacks.join(", ")}, so it may give another row.`
      : "The relation leads to rows of every protocol version."
  return new UnsupportedRelation({ detail, context })
}

const lacks = (lacking: Lacking, entity: Entity, field: string) =>
  lacking.entities.has(entity.name) || lacking.fields.has(`${entity.name}.${field}`)

const descend = (selection: Selection, name: string, path: string): Either.Either<Selection, Refused> => {
  const { entity, relations } = selection
  const known = relations.get(name)
  if (known !== undefined) return Either.right(known)
  const target = relatedTo(entity, name)
  if (target === undefined)
    return Either.left(
      refusedRelation(entity, name, path) ?? invalid(path, `${entity.name} has no such relation.`)
    )
  const made = empty(target)
  relations.set(name, made)
  return Either.right(made)
}

const addScalar = (selection: Selection, name: string, path: string): Either.Either<Selection, Refused> => {
  const { entity, scalars } = selection
  if (has(entity, name)) {
    scalars.add(name)
    return Either.right(selection)
  }
  if (relatedTo(entity, name) !== undefined)
    return Either.left(invalid(path, "A relation is selected by a path to one of its scalars."))
  return Either.left(
    refusedRelation(entity, name, path) ?? invalid(path, `${entity.name} has no such field.`)
  )
}

const add = (root: Selection, path: string, lacking: Lacking): Either.Either<void, Refused> => {
  const parts = path.split(".")
  if (parts.length > LIMITS.maxRelationDepth + 1)
    return Either.left(new SelectionTooComplex({ context: { parameter: "fields", field: path } }))
  let at = root
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (lacks(lacking, at.entity, part)) return Either.left(invalid(path, LACKING_REASON))
    const next = isLast ? addScalar(at, part, path) : descend(at, part, path)
    if (Either.isLeft(next)) return Either.left(next.left)
    at = next.right
  }
  return Either.void
}

/** Documents, which contracts hold as texts of 10 to 100 KB. */
const DOCUMENTS = new Set(["tokenUri", "resolvedUri", "svg"])

/** Given only to those who name it. */
export const isOnRequest = ({ base, name }: Column): boolean => base === "JSON" || DOCUMENTS.has(name)

const addDefaults = (root: Selection, lacking: Lacking): void => {
  const names = [...root.entity.columns.values()]
    .filter(column => !column.hidden && !isOnRequest(column))
    .map(({ name }) => name)
    .slice(0, DEFAULT_SCALARS)
  for (const name of names) if (!lacks(lacking, root.entity, name)) root.scalars.add(name)
}

/** False where an identity lies deeper than relations go. */
const addIdentities = (selection: Selection, depth: number): boolean => {
  for (const name of identityOf(selection.entity)) selection.scalars.add(name)
  for (const name of identityRelationsOf(selection.entity)) {
    const target = relatedTo(selection.entity, name)
    if (target !== undefined && !selection.relations.has(name)) selection.relations.set(name, empty(target))
  }
  if (selection.relations.size > 0 && depth >= LIMITS.maxRelationDepth) return false
  return [...selection.relations.values()].every(inner => addIdentities(inner, depth + 1))
}

const nodesOf = ({ scalars, relations }: Selection): number =>
  scalars.size + [...relations.values()].reduce((sum, inner) => sum + 1 + nodesOf(inner), 0)

const checkShape = (given: Json): Either.Either<ReadonlyArray<string>, InvalidFields> => {
  const fields: ReadonlyArray<Json> = Array.isArray(given) ? given : []
  const paths = fields.filter(
    field => typeof field === "string" && field.length > 0 && field.length <= MAXIMUM_PATH
  )
  if (fields.length === 0 || fields.length > LIMITS.maxFields || paths.length < fields.length)
    return Either.left(
      invalid("", `Fields are 1 to ${LIMITS.maxFields} texts of at most ${MAXIMUM_PATH} characters.`)
    )
  return new Set(paths).size < paths.length
    ? Either.left(invalid("", "A field is named twice."))
    : Either.right(paths.filter(path => typeof path === "string"))
}

/** The identity fields are part of it at every level. */
export const selectionOf = (
  entity: Entity,
  fields: Json | undefined,
  lacking: Lacking
): Either.Either<Selection, Refused> => {
  const root = empty(entity)
  if (fields === undefined) addDefaults(root, lacking)
  else {
    const paths = checkShape(fields)
    if (Either.isLeft(paths)) return Either.left(paths.left)
    for (const path of paths.right) {
      const added = add(root, path, lacking)
      if (Either.isLeft(added)) return Either.left(added.left)
    }
  }
  if (!addIdentities(root, 0) || nodesOf(root) > LIMITS.maxSelectionNodes)
    return Either.left(
      new SelectionTooComplex({
        detail: `With its identity fields a selection has at most ${LIMITS.maxSelectionNodes} fields and ${LIMITS.maxRelationDepth} levels of relations.`,
        context: { parameter: "fields" }
      })
    )
  return Either.right(root)
}
