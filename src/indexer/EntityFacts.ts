/** The form of an entity's declaration, and the rows that follow from it. */
import type { Json } from "./IndexerSchemas.ts"

/** `Int`, `BigInt`, `String`, `Hex`, `Boolean`, `JSON` or an enum's name; `!` after what is never null, `[…]` around lists. */
type TypeText = string

export interface EntityFacts {
  readonly name: string
  /** The source's name where it is another one. */
  readonly source?: string
  /** Primary-key columns in the source's order. */
  readonly key: ReadonlyArray<string>
  readonly fields: Readonly<Record<string, TypeText>>
  /** Columns behind a relation of the same name: filterable, never selectable. */
  readonly hidden?: Readonly<Record<string, TypeText>>
  /** Singular relations that cover the key of the entity they lead to. */
  readonly relations?: Readonly<Record<string, string>>
  /** Singular relations that may lead to another row, with the key parts that their join lacks, or to what has no version. */
  readonly refused?: Readonly<
    Record<string, { readonly entity: string; readonly lacks: ReadonlyArray<string> }>
  >
  readonly lists?: Readonly<Record<string, string>>
  /** Own name to the source's name. */
  readonly renamed?: Readonly<Record<string, string>>
  /** Fields that older sources lack; `all` where they lack the entity. */
  readonly recent?: ReadonlyArray<string> | "all"
}

interface Values {
  readonly Int: number
  readonly BigInt: string
  readonly String: string
  readonly Hex: string
  readonly Boolean: boolean
  readonly JSON: Json
}

type Base<T extends string> = T extends keyof Values ? Values[T] : string
type Known<T extends string> = T extends `[${infer E}!]` ? ReadonlyArray<Base<E>> : Base<T>
type ValueOf<T> = T extends `${infer N}!` ? Known<N> : T extends string ? Known<T> | null : never

type Entities = Readonly<Record<string, EntityFacts>>

/** What may be selected of an entity: integers as numbers, wide integers and `projectId` as decimal strings. */
export type RowOf<All extends Entities, Name extends keyof All> = {
  readonly [F in keyof All[Name]["fields"]]?: F extends "projectId" ? string : ValueOf<All[Name]["fields"][F]>
} & {
  readonly [R in keyof All[Name]["relations"]]?: All[Name]["relations"][R] extends keyof All
    ? RowOf<All, All[Name]["relations"][R]> | null
    : never
}
