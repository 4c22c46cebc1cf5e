/** Debian's Chromium, installed once where a machine has none and this process may: the one without windows, which opens a page with a fifth of the work. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"
import { type Browser, chromium } from "playwright-core"

const WINDOWLESS = "/usr/bin/chromium-headless-shell"
const PATHS = [WINDOWLESS, "/usr/bin/chromium"]
const INSTALL_MILLIS = 540_000

const run = promisify(execFile)

const apt = (...words: ReadonlyArray<string>) =>
  run("apt-get", ["-y", "-o", "DPkg::Lock::Timeout=300", ...words], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: INSTALL_MILLIS,
    maxBuffer: 64 * 1024 * 1024
  })

const missing = (why: string): Error =>
  new Error(
    `The browser tests need Debian's chromium at ${PATHS.join(" or ")}, and ${why}: run "apt-get update && apt-get install -y chromium-headless-shell" as root once.`
  )

/** Where it is. */
const installed = async (): Promise<string> => {
  const found = PATHS.find(path => existsSync(path))
  if (found !== undefined) return found
  if (process.getuid?.() !== 0) throw missing("only root may install it")
  try {
    await apt("update")
    await apt("install", "--no-install-recommends", "chromium-headless-shell")
  } catch (cause) {
    throw Object.assign(missing("its installation failed"), { cause })
  }
  if (!existsSync(WINDOWLESS)) throw missing("its installation did not put it there")
  return WINDOWLESS
}

/** Its own traffic to the outside is off, so that what is seen is the page's. */
const QUIET = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--disable-gpu",
  "--no-first-run"
]

/** Long enough for an installation. */
export const BROWSER_MILLIS = 600_000

export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await installed(), args: QUIET })
