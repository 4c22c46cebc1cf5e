/** Directories of migrations as builds bring them: written by a test, or the released ones up to some number. */
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packageRoot } from "../../src/settings/PackageRoot.ts"

export const MIGRATIONS = join(packageRoot, "migrations")

type Texts = Readonly<Record<string, string>>

const writeAll = async (directory: string, texts: Texts) => {
  await mkdir(directory, { recursive: true })
  await Promise.all(Object.entries(texts).map(([name, text]) => writeFile(join(directory, name), text)))
}

/** What the work makes of a directory that is gone afterwards. */
export const withMigrations = async <A>(
  numbered: Texts,
  functions: Texts,
  work: (directory: string) => Promise<A>
): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), "migrations-"))
  try {
    await writeAll(directory, numbered)
    await writeAll(join(directory, "functions"), functions)
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

export const numberedNames = async (): Promise<ReadonlyArray<string>> =>
  (await readdir(MIGRATIONS)).filter(name => name.endsWith(".sql")).sort()

/** The numbered ones of before this one, of builds that brought no function by itself. */
export const withMigrationsBefore = async <A>(before: string, work: (directory: string) => Promise<A>) => {
  const names = (await numberedNames()).filter(name => name < before)
  return withMigrations({}, {}, async directory => {
    await Promise.all(names.map(name => copyFile(join(MIGRATIONS, name), join(directory, name))))
    return work(directory)
  })
}
