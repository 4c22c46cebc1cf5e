/** Project ids in filters: no row has one beyond what the index can hold, so what compares with such an id holds for all values or for none. */
import type { Column, Filter } from "./Entities.ts"
import type { Json } from "./IndexerSchemas.ts"
import { isInt32 } from "./Limits.ts"

const PROJECT_IDS = new Set(["projectId", "splitProjectId", "distributionFromProjectId", "feeFromProject"])

export const isProjectId = ({ name, base }: Column): boolean => base === "Int" && PROJECT_IDS.has(name)

const isBeyond = (value: Json): value is number => typeof value === "number" && !isInt32(value)

type Condition = readonly [string, Json]

/** As any comparison of the source, it leaves out the rows that have no value. */
const every = ({ source }: Column): Condition => [`${source}_not`, null]

const none = ({ source }: Column): Condition => [`${source}_in`, []]

/** The filter in the words of the source. */
export const conditionOf = ({ column, suffix, source }: Filter, operand: Json): Condition => {
  if (!isProjectId(column)) return [source, operand]
  if (Array.isArray(operand)) {
    const held = operand.filter(value => !isBeyond(value))
    return suffix === "_not_in" && held.length < operand.length && held.length === 0
      ? every(column)
      : [source, held]
  }
  if (!isBeyond(operand)) return [source, operand]
  const holds = suffix === "_not" || suffix.startsWith(operand < 0 ? "_g" : "_l")
  return holds ? every(column) : none(column)
}
