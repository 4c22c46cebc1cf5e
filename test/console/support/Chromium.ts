/** Debian's Chromium, the one without windows where a machine has none: it opens a page with a fifth of the work. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { onTestFinished } from "vitest"
import { getCurrentTest } from "vitest/suite"
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

/** Of a test: a browser beside a service on a busy machine takes its time. */
export const PATIENCE = { timeout: 240_000 }
/** Of what a page is to show. */
const SHOWN_MILLIS = 60_000

const browserPath = () =>
  installedProgram({
    packageName: "chromium-headless-shell",
    paths: ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"],
    whoNeeds: "The browser tests"
  })

/** What a file opens in the browser of its worker: what a test opens is closed when it ends, the rest with the file. */
export interface Browsing {
  readonly newContext: Browser["newContext"]
  readonly newPage: Browser["newPage"]
  readonly close: () => Promise<void>
}

/** It ends with the process that it is heard by, however that ends. */
const UNHANDLED = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }

const launch = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await browserPath(), args: QUIET, ...UNHANDLED })

let launched: Browser | undefined

const browserOfWorker = async (): Promise<Browser> => {
  if (launched?.isConnected() !== true) launched = await launch()
  return launched
}

/** Whatever its pages still ask is no fault of theirs. */
const closed = async (context: BrowserContext): Promise<void> => {
  const routed = [context, ...context.pages()]
  await Promise.all(routed.map(each => each.unrouteAll({ behavior: "ignoreErrors" })))
  await context.close()
}

/** The one that this worker keeps, with contexts of the caller's own. */
export const startBrowser = async (): Promise<Browsing> => {
  const browser = await browserOfWorker()
  const open = new Set<BrowserContext>()
  const close = async (context: BrowserContext): Promise<void> => {
    open.delete(context)
    await closed(context)
  }
  const newContext: Browsing["newContext"] = async options => {
    const context = await browser.newContext(options)
    context.setDefaultTimeout(SHOWN_MILLIS)
    open.add(context)
    if (getCurrentTest() !== undefined) onTestFinished(() => close(context))
    return context
  }
  const newPage = async (...options: Parameters<Browsing["newPage"]>): Promise<Page> =>
    (await newContext(...options)).newPage()
  return {
    newContext,
    newPage,
    close: async () => {
      await Promise.all([...open].map(close))
    }
  }
}
