/** What an answer says of the rows and fields of which it gives less than the source holds. */
import { unknown } from "../values/Observed.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { type Column, type Entity, identityOf } from "./Entities.ts"
import type { Degraded, Row } from "./IndexerSchemas.ts"
import { keyIn } from "./RowKeys.ts"
import type { CheckedRow, FieldFault } from "./Rows.ts"
import { SourceAnswerTooLarge } from "./refusals.ts"
import type { Selection } from "./Selection.ts"

export const degradedRow = (entity: Entity, row: Row, fault: AnyRefusal, field?: string): Degraded => ({
  key: keyIn(row, entity),
  ...(field === undefined ? {} : { field }),
  error: unknown(fault).error
})

/** As a member of an answer that has it only where something is degraded. */
export const telling = (
  degraded: ReadonlyArray<Degraded>
): { readonly degraded?: ReadonlyArray<Degraded> } => (degraded.length === 0 ? {} : { degraded })

export const degradedIn = (entity: Entity, rows: ReadonlyArray<CheckedRow>) =>
  telling(
    rows.flatMap(({ row, faults }) =>
      faults.map(({ field, fault }) => degradedRow(entity, row, fault, field))
    )
  )

/** Texts of the index's own making. */
const OWN = new Set(["id", "suckerGroupId", "direction"])

/** Anybody can make it as long as a transaction allows. */
const isUnbounded = ({ base, list, name }: Column): boolean =>
  list ||
  (base === "String" && !OWN.has(name)) ||
  base === "JSON" ||
  (base === "Hex" && /metadata/i.test(name))

const rowTooLarge = new SourceAnswerTooLarge({
  detail:
    "The row is larger than an answer may be, so its texts are left out; ask for fewer of them at once.",
  retryable: false
})

interface Narrowed {
  readonly selection: Selection
  readonly faults: ReadonlyArray<FieldFault>
}

/** Without the fields that make a row too large for any answer. */
export const narrowed = ({ entity, scalars, relations }: Selection, path = ""): Narrowed => {
  const identity = identityOf(entity)
  const isLeftOut = (name: string) => {
    const column = entity.columns.get(name)
    return column !== undefined && isUnbounded(column) && !identity.includes(name)
  }
  const inner = [...relations].map(([name, related]) => [name, narrowed(related, `${path}${name}.`)] as const)
  return {
    selection: {
      entity,
      scalars: new Set([...scalars].filter(name => !isLeftOut(name))),
      relations: new Map(inner.map(([name, { selection }]) => [name, selection]))
    },
    faults: [
      ...[...scalars].filter(isLeftOut).map(name => ({ field: `${path}${name}`, fault: rowTooLarge })),
      ...inner.flatMap(([, { faults }]) => faults)
    ]
  }
}
