/** The details of an event, each read by the shape of its type. */
import { Either, Schema } from "effect"
import { misshapen } from "../../../projects/IndexedRows.ts"
import { unknown } from "../../../values/Observed.ts"
import { type ActivityRow, BRIDGES, detailRows, MONEY } from "./Activity.ts"

type Detail = keyof typeof detailRows

export type Details = Pick<ActivityRow, Detail>

/** One that does not have its shape is unknown, and leaves the rest of the event as it is. */
const read = (name: Detail, value: unknown): Details => {
  if (value === undefined) return {}
  const read = Schema.decodeUnknownEither(Schema.NullOr<Schema.Schema.AnyNoContext>(detailRows[name]))(value)
  return { [name]: Either.getOrElse(read, error => unknown(misshapen(name, error))) }
}

export const detailsIn = (row: object): Details => {
  let found: Details = {}
  for (const name of [...MONEY, ...BRIDGES]) found = { ...found, ...read(name, Reflect.get(row, name)) }
  return found
}
