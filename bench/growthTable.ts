/** What the growth benchmark found, as docs/operating/capacity.md has it. */
import type { Taken } from "./growthLoad.ts"
import type { Look } from "./growthPages.ts"
import type { TableSize } from "./growthSizes.ts"
import { median } from "./support/Figures.ts"

export interface Compared<A> {
  readonly empty: ReadonlyArray<A>
  readonly filled: ReadonlyArray<A>
}

const row = (...cells: ReadonlyArray<string | number>): string => `| ${cells.join(" | ")} |`

const ratioOf = <A>({ empty, filled }: Compared<A>, figure: (each: A) => number): string =>
  (median(filled.map(figure)) / median(empty.map(figure))).toFixed(2)

const both = <A>({ empty, filled }: Compared<A>, figure: (each: A) => number, digits: number) =>
  [empty, filled].map(all => median(all.map(figure)).toFixed(digits))

const processor = ({ service, database }: Taken): number => service + database

export const loadTable = (loads: ReadonlyMap<string, Compared<Taken>>): string =>
  [
    row("request", "a second, empty", "filled", "ratio", "ms of the processor, empty", "filled", "ratio"),
    row("---", "---", "---", "---", "---", "---", "---"),
    ...[...loads].map(([name, taken]) =>
      row(
        name,
        ...both(taken, ({ perSecond }) => perSecond, 0),
        ratioOf(taken, ({ perSecond }) => perSecond),
        ...both(taken, processor, 2),
        ratioOf(taken, processor)
      )
    )
  ].join("\n")

/** Of each row that it was about, or of the look where it was about none. */
const each = (figure: (look: Look) => number) => (look: Look) => figure(look) / Math.max(1, look.found)

export const lookTable = (looks: ReadonlyMap<string, Compared<Look>>): string =>
  [
    row(
      ...["worker", "found", "rows read for each, empty", "filled", "pages for each, empty", "filled"],
      ...["ms, empty", "filled", "ratio"]
    ),
    row("---", "---", "---", "---", "---", "---", "---", "---", "---"),
    ...[...looks].map(([name, found]) =>
      row(
        ...[name, both(found, look => look.found, 0).join(" / ")],
        ...both(
          found,
          each(({ rows }) => rows),
          1
        ),
        ...both(
          found,
          each(({ pages }) => pages),
          1
        ),
        ...both(found, ({ millis }) => millis, 1),
        ratioOf(found, ({ millis }) => millis)
      )
    )
  ].join("\n")

const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0)

export const sizeTable = (before: ReadonlyArray<TableSize>, after: ReadonlyArray<TableSize>): string =>
  [
    row(
      "table",
      "rows",
      "MB",
      "MB of indexes",
      "rows after churn",
      "MB",
      "MB of indexes",
      "dead rows",
      "read row by row"
    ),
    row("---", "---", "---", "---", "---", "---", "---", "---", "---"),
    ...before.map(({ name, rows, table, indexes }) => {
      const now = after.find(each => each.name === name)
      return now === undefined
        ? row(`\`${name}\``, rows, megabytes(table), megabytes(indexes), "", "", "", "", "")
        : row(
            ...[`\`${name}\``, rows, megabytes(table), megabytes(indexes)],
            ...[now.rows, megabytes(now.table), megabytes(now.indexes)],
            ...[`${((now.dead / Math.max(1, now.rows)) * 100).toFixed(1)} %`, now.scanned]
          )
    })
  ].join("\n")
