/** The directory that keeps what must survive a restart, and the secrets that it keeps. */
import { randomBytes, randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { link, mkdir, open, readFile, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect, Redacted } from "effect"
import { StartFailure, systemCode } from "./StartFailure.ts"

export const inDataDirectory = <A>(
  directory: string,
  work: () => Promise<A>
): Effect.Effect<A, StartFailure> =>
  Effect.tryPromise({
    try: work,
    catch: cause =>
      new StartFailure({
        message: `The data directory ${directory} cannot be written (${systemCode(cause)}); make it writable or set SERVICE_DATA_DIR to another one.`
      })
  })

/** Node's own recursion never ends where a parent that exists says that there is none, as /proc does. */
export const made = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory)
  } catch (cause) {
    const parent = dirname(directory)
    const isMissing = systemCode(cause) === "ENOENT" && !existsSync(parent)
    if (isMissing) {
      await made(parent)
      await made(directory)
    } else if (systemCode(cause) !== "EEXIST" || !(await stat(directory)).isDirectory()) throw cause
  }
}

const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await open(path, "wx", 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

const readIfPresent = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch(cause => {
    if (systemCode(cause) === "ENOENT") return undefined
    throw cause
  })

/** Whoever links the file first decides, so that processes that start together keep one secret. */
const createOnce = async (path: string, text: string): Promise<string> => {
  const draft = `${path}.${randomUUID()}`
  await writeDurably(draft, text)
  try {
    await link(draft, path)
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw cause
  } finally {
    await rm(draft)
  }
  return readFile(path, "utf8")
}

const KEPT = /^[0-9a-f]{64}$/

/** A secret of 32 random bytes in hexadecimal, made on first use and kept in a file that only this user reads. */
export const keptSecret = Effect.fn("DataDirectory.keptSecret")(function* (directory: string, name: string) {
  const path = join(directory, name)
  const secret = yield* inDataDirectory(directory, async () => {
    await made(directory)
    return (await readIfPresent(path)) ?? createOnce(path, randomBytes(32).toString("hex"))
  })
  if (!KEPT.test(secret.trim()))
    return yield* new StartFailure({
      message: `${path} does not hold the 64 hexadecimal digits that were put there; restore it, or remove it so that a new one is made.`
    })
  return Redacted.make(secret.trim())
})
