/** Rows of the source, checked for shape, version, network, scope and agreement with what they belong to. */
import { Either, Predicate } from "effect"
import { answered, type ValueFault } from "./Answered.ts"
import { has, identityOf, identityRelationsOf } from "./Entities.ts"
import type { Json, Row } from "./IndexerSchemas.ts"
import { PROTOCOL_VERSION } from "./Limits.ts"
import { IdentityMismatch, InvalidResponse, RelationUnavailable, VersionMismatch } from "./refusals.ts"
import type { Selection } from "./Selection.ts"

export interface Expected {
  readonly chains: ReadonlySet<number>
  readonly chainId: number | undefined
  readonly projectId: number | undefined
}

type Refused = IdentityMismatch | InvalidResponse | RelationUnavailable | VersionMismatch
/** A field of which less is told than the source holds. */
export interface FieldFault {
  /** Dotted through relations. */
  readonly field: string
  readonly fault: ValueFault
}

export interface CheckedRow {
  readonly row: Row
  readonly faults: ReadonlyArray<FieldFault>
}

type Checked = Either.Either<CheckedRow, Refused>

interface Taken {
  readonly row: Record<string, Json>
  readonly faults: Array<FieldFault>
}

const invalid = (entity: string, field?: string) =>
  Either.left(
    new InvalidResponse({ context: { entity, ...(field === undefined ? {} : { field }) }, retryable: false })
  )

/** Nobody could tell whose row it is that has a fault in its identity. */
const scalarsOf = ({ entity, scalars }: Selection, raw: object): Either.Either<Taken, InvalidResponse> => {
  const taken: Taken = { row: {}, faults: [] }
  const identity = identityOf(entity)
  for (const name of scalars) {
    const column = entity.columns.get(name)
    const told = column && answered(column, Reflect.get(raw, name))
    if (told === undefined || (told.fault !== undefined && identity.includes(name)))
      return invalid(entity.name, name)
    if (told.value !== undefined) taken.row[name] = told.value
    if (told.fault !== undefined) taken.faults.push({ field: name, fault: told.fault })
  }
  return Either.right(taken)
}

const mismatch = (entity: string, member: string) => new IdentityMismatch({ context: { entity, member } })

/** What is wrong with whose row this is. */
const identityFault = (
  { entity }: Selection,
  row: Row,
  expected: Expected
): IdentityMismatch | VersionMismatch | undefined => {
  const { version, chainId, projectId } = row
  if (version !== PROTOCOL_VERSION) return new VersionMismatch({ context: { entity: entity.name } })
  if (has(entity, "chainId")) {
    const isOwn = typeof chainId === "number" && expected.chains.has(chainId)
    if (!isOwn || (expected.chainId !== undefined && chainId !== expected.chainId))
      return mismatch(entity.name, "chainId")
  }
  if (!has(entity, "projectId")) return undefined
  const isWrong = expected.projectId !== undefined && projectId !== String(expected.projectId)
  return isWrong || Number(projectId) < 0 ? mismatch(entity.name, "projectId") : undefined
}

/** A related row has to be of the chain and the project of the row it belongs to. */
const inner = (row: Row, expected: Expected): Expected => ({
  chains: expected.chains,
  chainId: typeof row.chainId === "number" ? row.chainId : expected.chainId,
  projectId: typeof row.projectId === "string" ? Number(row.projectId) : expected.projectId
})

const member = (value: Json | undefined, name: string): Json | undefined =>
  Predicate.isRecord(value) ? value[name] : undefined

/** A token and its tier are of one hook. */
const tierFault = (row: Row): IdentityMismatch | undefined => {
  const { tier, hook, tierId } = row
  if (tier === undefined || tier === null) return undefined
  const agrees =
    member(tier, "tierId") === tierId && member(member(tier, "hook"), "address") === member(hook, "address")
  return agrees ? undefined : mismatch("nft", "tier")
}

const withRelations = (
  selection: Selection,
  raw: object,
  { row, faults }: Taken,
  expected: Expected
): Checked => {
  const { entity, relations } = selection
  const needed = identityRelationsOf(entity)
  for (const [name, related] of relations) {
    const value: unknown = Reflect.get(raw, name)
    if (value === undefined) return invalid(entity.name, name)
    if (value === null && needed.includes(name))
      return Either.left(new RelationUnavailable({ context: { entity: entity.name, field: name } }))
    if (value === null) {
      row[name] = null
      continue
    }
    const checked = checkedRow(related, value, inner(row, expected))
    if (Either.isLeft(checked)) return checked
    row[name] = checked.right.row
    faults.push(...checked.right.faults.map(({ field, fault }) => ({ field: `${name}.${field}`, fault })))
  }
  const fault = entity.name === "nft" ? tierFault(row) : undefined
  return fault === undefined ? Either.right({ row, faults }) : Either.left(fault)
}

/** The selected members alone, integers and enums as the API tells them. */
export const checkedRow = (selection: Selection, raw: unknown, expected: Expected): Checked => {
  if (!Predicate.isRecord(raw)) return invalid(selection.entity.name)
  const taken = scalarsOf(selection, raw)
  if (Either.isLeft(taken)) return Either.left(taken.left)
  const fault = identityFault(selection, taken.right.row, expected)
  return fault === undefined ? withRelations(selection, raw, taken.right, expected) : Either.left(fault)
}
