/** The rows that a walk has given, as its cursor remembers them: a mark of five bytes for each, the oldest first. */
import { createHmac } from "node:crypto"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Entity } from "./Entities.ts"
import { keyIn } from "./RowKeys.ts"
import type { CheckedRow } from "./Rows.ts"

export type Given = ReadonlyArray<string>

const BYTES = 5

/** Keyed, so that nobody makes a row that is taken for another one. */
const markOf = (secret: string, entity: Entity, { row }: CheckedRow): string =>
  createHmac("sha256", secret)
    .update(canonicalJson(["given", entity.name, keyIn(row, entity)]))
    .digest("hex")
    .slice(0, 2 * BYTES)

interface Fresh {
  readonly items: ReadonlyArray<CheckedRow>
  /** With the marks of those items. */
  readonly given: Given
}

/** The rows that were not given yet, each once; marked by the first secret, known again by any. */
export const notGiven = (
  [secret, ...before]: readonly [string, ...ReadonlyArray<string>],
  entity: Entity,
  rows: ReadonlyArray<CheckedRow>,
  given: Given
): Fresh => {
  const known = new Set(given)
  const items = rows.filter(row => {
    const mark = markOf(secret, entity, row)
    const isNew = !known.has(mark) && !before.some(each => known.has(markOf(each, entity, row)))
    known.add(mark)
    return isNew
  })
  return { items, given: [...known] }
}

/** The newest that have room in so many characters. */
export const packGiven = (given: Given, room: number): string => {
  const most = Math.max(0, Math.floor((room * 3) / (4 * BYTES)))
  return Buffer.from(given.slice(Math.max(0, given.length - most)).join(""), "hex").toString("base64url")
}

export const unpackGiven = (text: string): Given =>
  Buffer.from(text, "base64url").toString("hex").match(/.{10}/g) ?? []
