/** What a list is ordered by. */
import { Either } from "effect"
import type { Column, Entity } from "./Entities.ts"
import { LACKING_REASON, type Lacking } from "./Lacking.ts"
import { InvalidFields, InvalidOrder } from "./refusals.ts"

export interface Order {
  /** The own name of a column. */
  readonly field: string
  readonly source: string
  readonly direction: "asc" | "desc"
  /** Rows without a value come last, in the order of their key. */
  readonly nullable: boolean
}

const invalid = (detail: string, choices: { readonly allowed?: ReadonlyArray<string> } = {}) =>
  Either.left(new InvalidOrder({ detail, context: { parameter: "orderBy", ...choices } }))

const isOrderable = ({ hidden, list, base }: Column): boolean => !hidden && !list && base !== "JSON"

const MEMBERS = ["field", "direction"]

export const orderOf = (
  entity: Entity,
  asked: unknown,
  lacking: Lacking
): Either.Either<Order | undefined, InvalidOrder | InvalidFields> => {
  if (asked === undefined) return Either.right(undefined)
  if (typeof asked !== "object" || asked === null || Object.keys(asked).some(key => !MEMBERS.includes(key)))
    return invalid("An order has a field and perhaps a direction.")
  const field: unknown = Reflect.get(asked, "field")
  const { direction = "asc" }: { readonly direction?: unknown } = asked
  if (direction !== "asc" && direction !== "desc")
    return invalid("A direction is asc or desc.", { allowed: ["asc", "desc"] })
  const column = typeof field === "string" ? entity.columns.get(field) : undefined
  if (column === undefined || !isOrderable(column))
    return invalid(`Rows of ${entity.name} are ordered by a scalar that is neither a list nor JSON.`, {
      allowed: [...entity.columns.values()].filter(isOrderable).map(({ name }) => name)
    })
  if (lacking.fields.has(`${entity.name}.${column.name}`))
    return Either.left(
      new InvalidFields({
        detail: LACKING_REASON,
        context: { parameter: "orderBy", field: column.name }
      })
    )
  const { name, source, nullable } = column
  return Either.right({ field: name, source, direction, nullable })
}
