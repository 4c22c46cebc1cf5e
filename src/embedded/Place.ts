/** Who runs PostgreSQL, which refuses the root user, and from where: what that user cannot enter is placed elsewhere. */
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink
} from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { inDataDirectory } from "../settings/DataDirectory.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import type { PostgresBinaries } from "./Binaries.ts"
import type { SystemUser } from "./BoundProcess.ts"

/** A database that was placed elsewhere for a data directory that has no more to do with it. */
export interface LeftOver {
  readonly data: string
  /** The link that led to it. */
  readonly link: string
}

export interface ProgramPlace {
  readonly native: string
  readonly data: string
  readonly leftOver: ReadonlyArray<LeftOver>
  readonly account: SystemUser | undefined
}

const numberOf = (option: "-u" | "-g", user: string): number | undefined => {
  const { status, stdout } = spawnSync("id", [option, user], { encoding: "utf8" })
  return status === 0 ? Number.parseInt(stdout, 10) : undefined
}

const accountNamed = (user: string): SystemUser | undefined => {
  const uid = numberOf("-u", user)
  const gid = numberOf("-g", user)
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { uid, gid }
}

const unprivileged = Effect.suspend(() => {
  const account = accountNamed("postgres") ?? accountNamed("nobody")
  return account === undefined
    ? new StartFailure({
        message:
          "PostgreSQL refuses to run as root and there is no user postgres or nobody; start the service as another user or set SERVICE_DATABASE_URL."
      })
    : Effect.succeed(account)
})

const can = (account: SystemUser, test: "-x" | "-r", path: string): boolean =>
  spawnSync("/bin/sh", ["-c", 'test "$1" "$2"', "test", test, path], { cwd: "/", ...account }).status === 0

/** Holds what root's own directories would hide from the unprivileged user; outlives restarts. */
const ELSEWHERE = "/var/lib/signed-request-service"

const unique = (): string => randomBytes(8).toString("hex")

const present = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false
  )

const open = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true })
  await chmod(directory, 0o755)
}

/** Copied beside its final name and renamed, so that a copy is whole or absent. */
const copied = async (native: string, home: string): Promise<void> => {
  const draft = `${home}.${unique()}`
  await cp(native, draft, { recursive: true, verbatimSymlinks: true })
  spawnSync("chmod", ["-R", "a+rX", draft])
  await rename(draft, home).catch(() => rm(draft, { recursive: true }))
}

const placedBinaries = async (
  { native, version }: PostgresBinaries,
  account: SystemUser,
  elsewhere: string
): Promise<string> => {
  const reachable = can(account, "-x", join(native, "bin", "postgres"))
  if (reachable && can(account, "-r", join(native, "pg-symlinks.json"))) return native
  const home = join(elsewhere, `postgres-${version}`)
  await open(elsewhere)
  if (!(await present(home))) await copied(native, home)
  return home
}

const ORIGIN = ".of"

const leftOverAt = async (data: string): Promise<ReadonlyArray<LeftOver>> => {
  const link = await readlink(`${data}${ORIGIN}`)
  const led = await readlink(link).catch(() => undefined)
  return led === data || !(await present(data)) ? [] : [{ data, link }]
}

/** Told, never removed: a data directory may only be away for a while, as one that is not mounted. */
const leftOverIn = async (elsewhere: string): Promise<ReadonlyArray<LeftOver>> => {
  const names = await readdir(elsewhere).catch(() => [])
  const origins = names.filter(name => name.startsWith("data-") && name.endsWith(ORIGIN))
  const found = await Promise.all(
    origins.map(name => leftOverAt(join(elsewhere, name.slice(0, -ORIGIN.length))))
  )
  return found.flat()
}

/** The link is what leads to data placed elsewhere: without it a start begins anew. The way back only tells whose they were. */
const placedData = async (dataDirectory: string, account: SystemUser, elsewhere: string): Promise<string> => {
  const home = join(dataDirectory, "postgres")
  const target = await readlink(home).catch(() => undefined)
  if (target !== undefined) {
    await open(dirname(target))
    return target
  }
  if ((await present(home)) || can(account, "-x", dataDirectory)) return home
  await open(elsewhere)
  const placed = join(elsewhere, `data-${unique()}`)
  await symlink(resolve(home), `${placed}${ORIGIN}`)
  await symlink(placed, home)
  return placed
}

const ownerOf = (directory: string): Promise<SystemUser | undefined> =>
  stat(directory).then(
    ({ uid, gid }) => (uid === 0 ? undefined : { uid, gid }),
    () => undefined
  )

const placedForRoot = Effect.fn("Place.placedForRoot")(function* (
  binaries: PostgresBinaries,
  dataDirectory: string,
  elsewhere: string
) {
  const known = yield* Effect.promise(() => ownerOf(join(dataDirectory, "postgres")))
  const account = known ?? (yield* unprivileged)
  const native = yield* inDataDirectory(elsewhere, () => placedBinaries(binaries, account, elsewhere))
  const data = yield* inDataDirectory(dataDirectory, () => placedData(dataDirectory, account, elsewhere))
  if (known !== undefined && !can(account, "-x", data))
    return yield* new StartFailure({
      message: `PostgreSQL runs as user ${account.uid}, who may not enter ${data}; let that user pass (chmod o+x on the directories above) or set SERVICE_DATA_DIR.`
    })
  const leftOver = yield* Effect.promise(() => leftOverIn(elsewhere))
  return { native, data, account, leftOver }
})

export const placed = (
  binaries: PostgresBinaries,
  dataDirectory: string,
  elsewhere = ELSEWHERE
): Effect.Effect<ProgramPlace, StartFailure> =>
  process.getuid?.() === 0
    ? placedForRoot(binaries, dataDirectory, elsewhere)
    : Effect.succeed({
        native: binaries.native,
        data: join(dataDirectory, "postgres"),
        account: undefined,
        leftOver: []
      })

/** Gives what this process made to the user who runs PostgreSQL. */
export const handedOver = async (path: string, account: SystemUser | undefined): Promise<void> => {
  if (account !== undefined) await chown(path, account.uid, account.gid)
}
