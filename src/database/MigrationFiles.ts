/** What a build brings for the database: numbered files, each applied once, and functions, each known by its edition. */
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Data, Effect } from "effect"

export class MigrationRefused extends Data.TaggedError("MigrationRefused")<{ readonly message: string }> {}

export interface MigrationFile {
  readonly name: string
  readonly text: string
  readonly hash: string
  /** The first migration that a build has to know to go on once this one is applied; all builds do where it takes nothing away. */
  readonly servesFrom: string | undefined
}

export interface FunctionFile extends MigrationFile {
  readonly edition: number
}

const SERVES_FROM = /^-- serves builds from (\d{4}_\w+\.sql)\n/
const EDITION = /^-- edition ([1-9]\d*)\n/

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

const readFiles = async (directory: string): Promise<ReadonlyArray<MigrationFile>> => {
  const names = (await readdir(directory)).filter(name => name.endsWith(".sql")).sort()
  const texts = await Promise.all(names.map(name => readFile(join(directory, name), "utf8")))
  return names.map((name, index) => {
    const text = texts[index] ?? ""
    return { name, text, hash: hashOf(text), servesFrom: SERVES_FROM.exec(text)?.[1] }
  })
}

const withEdition = (file: MigrationFile): Effect.Effect<FunctionFile, MigrationRefused> => {
  const edition = EDITION.exec(file.text)?.[1]
  return edition === undefined
    ? new MigrationRefused({ message: `function file ${file.name} does not open with its edition` })
    : Effect.succeed({ ...file, edition: Number(edition) })
}

export const numberedFiles = (directory: string) => Effect.promise(() => readFiles(directory))

export const functionFiles = (directory: string) =>
  Effect.flatMap(
    Effect.promise(() => readFiles(join(directory, "functions"))),
    files => Effect.forEach(files, withEdition)
  )
