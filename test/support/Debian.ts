/** A program of a Debian package, installed once where a machine lacks it and this process may. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"

export interface DebianProgram {
  readonly packageName: string
  /** Where it lies; the first that exists is taken. */
  readonly paths: readonly [string, ...ReadonlyArray<string>]
  /** Who needs it, at the head of a sentence. */
  readonly whoNeeds: string
}

const INSTALL_MILLIS = 540_000

/** Long enough for an installation. */
export const INSTALLED_MILLIS = 600_000

const run = promisify(execFile)

const apt = (...words: ReadonlyArray<string>) =>
  run("apt-get", ["-y", "-o", "DPkg::Lock::Timeout=300", ...words], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: INSTALL_MILLIS,
    maxBuffer: 64 * 1024 * 1024
  })

const missing = ({ packageName, paths, whoNeeds }: DebianProgram, why: string): Error =>
  new Error(
    `${whoNeeds} need Debian's ${packageName} at ${paths.join(" or ")}, and ${why}: run "apt-get update && apt-get install -y ${packageName}" as root once.`
  )

/** Where it is. */
export const installedProgram = async (program: DebianProgram): Promise<string> => {
  const there = () => program.paths.find(path => existsSync(path))
  const found = there()
  if (found !== undefined) return found
  if (process.getuid?.() !== 0) throw missing(program, "only root may install it")
  try {
    await apt("update")
    await apt("install", "--no-install-recommends", program.packageName)
  } catch (cause) {
    throw Object.assign(missing(program, "its installation failed"), { cause })
  }
  const put = there()
  if (put === undefined) throw missing(program, "its installation did not put it there")
  return put
}
