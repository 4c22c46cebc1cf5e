/** Rows of the source, checked for shape, version, network, scope and agreement with what they belong to. */
import { Either } from "effect"
import { answered } from "./Answered.ts"
import { has, identityRelationsOf } from "./Entities.ts"
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
type Checked = Either.Either<Row, Refused>

const invalid = (entity: string, field?: string) =>
  Either.left(new InvalidResponse({ context: { entity, ...(field === undefined ? {} : { field }) } }))

const scalarsOf = (
  selection: Selection,
  raw: object
): Either.Either<Record<string, Json>, InvalidResponse> => {
  const row: Record<string, Json> = {}
  for (const name of selection.scalars) {
    const column = selection.entity.columns.get(name)
    const value = column && answered(column, Reflect.get(raw, name))
    if (value === undefined) return invalid(selection.entity.name, name)
    row[name] = value
  }
  return Either.right(row)
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
  typeof value === "object" && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined

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
  row: Record<string, Json>,
  expected: Expected
): Checked => {
  const { entity, relations } = selection
  const needed = identityRelationsOf(entity)
  for (const [name, related] of relations) {
    const value: unknown = Reflect.get(raw, name)
    if (value === undefined) return invalid(entity.name, name)
    if (value === null && needed.includes(name))
      return Either.left(new RelationUnavailable({ context: { entity: entity.name, field: name } }))
    const checked = value === null ? Either.right(null) : checkedRow(related, value, inner(row, expected))
    if (Either.isLeft(checked)) return Either.left(checked.left)
    row[name] = checked.right
  }
  const fault = entity.name === "nft" ? tierFault(row) : undefined
  return fault === undefined ? Either.right(row) : Either.left(fault)
}

/** The selected members alone, integers and enums as the API tells them. */
export const checkedRow = (selection: Selection, raw: unknown, expected: Expected): Checked => {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return invalid(selection.entity.name)
  const row = scalarsOf(selection, raw)
  if (Either.isLeft(row)) return Either.left(row.left)
  const fault = identityFault(selection, row.right, expected)
  return fault === undefined ? withRelations(selection, raw, row.right, expected) : Either.left(fault)
}
