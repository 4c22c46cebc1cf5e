/** Debian's Chromium, the one without windows where a machine has none: it opens a page with a fifth of the work. */
import { type Browser, chromium } from "playwright-core"
import { INSTALLED_MILLIS, installedProgram } from "../../support/Debian.ts"

/** Its own traffic to the outside is off, so that what is seen is the page's. */
const QUIET = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--disable-gpu",
  "--no-first-run"
]

export const BROWSER_MILLIS = INSTALLED_MILLIS

const browserPath = () =>
  installedProgram({
    packageName: "chromium-headless-shell",
    paths: ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"],
    whoNeeds: "The browser tests"
  })

export const startBrowser = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await browserPath(), args: QUIET })
