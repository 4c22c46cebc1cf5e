/** What the first worker of a run that needs it makes, and all others take from there. */
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { connected } from "./Sql.ts"

const kept = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined)

/** Whole, because others read it as soon as it is there. */
const keep = async (file: string, text: string): Promise<string> => {
  await writeFile(`${file}.draft`, text)
  await rename(`${file}.draft`, file)
  return text
}

/** The database lets the next one in also where a worker dies amid its work. */
const alone = async <A>(databaseUrl: string, name: string, work: () => Promise<A>): Promise<A> => {
  const holder = await connected(databaseUrl)
  try {
    await holder.query("SELECT pg_advisory_lock(hashtext($1))", [name])
    return await work()
  } finally {
    await holder.end()
  }
}

/** A text that says where it is; `make` is given the run's directory, or none where no run of the suite keeps what it made. */
export const oncePerRun = async (
  name: string,
  make: (directory: string | undefined) => Promise<string>
): Promise<string> => {
  const { SUITE_RUN, KEPT_PROGRAMS, RUN_DATABASE_URL } = process.env
  if (SUITE_RUN === undefined || KEPT_PROGRAMS === undefined || RUN_DATABASE_URL === undefined)
    return make(undefined)
  const file = join(KEPT_PROGRAMS, name)
  return (
    (await kept(file)) ??
    alone(RUN_DATABASE_URL, name, async () => (await kept(file)) ?? keep(file, await make(KEPT_PROGRAMS)))
  )
}
