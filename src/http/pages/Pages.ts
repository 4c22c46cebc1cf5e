/** The pages for people, built on first use and the same for everyone. */
import type { Answer } from "../Answer.ts"
import { describeApi } from "../OpenApiDocument.ts"
import { consolePage } from "./ConsolePage.ts"
import { docsPage } from "./DocsPage.ts"
import { entitiesPage } from "./EntitiesPage.ts"
import { errorsPage } from "./ErrorsPage.ts"
import { guidePage, guides, guidesPage } from "./GuidesPage.ts"
import { notFoundPage } from "./NotFoundPage.ts"
import { operationsPage } from "./OperationsPage.ts"
import { PLAN_PAGE, planPage, planScript, SCRIPT_PATH, STYLE_PATH } from "./PlanPage.ts"
import { PLAN_STYLE } from "./PlanStyle.ts"
import { signingPage } from "./SigningPage.ts"
import { STYLE } from "./Style.ts"

export const PAGE_METHODS = ["GET", "HEAD"]

const SECURITY = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer"
}

/** Its own script alone runs, talks to its own origin alone, and makes no markup from text. */
const SCRIPTED = {
  ...SECURITY,
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

const page = (status: number, body: string): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", ...SECURITY },
  body
})

const stylesheet = (body: string): Answer => ({
  status: 200,
  headers: { "content-type": "text/css; charset=utf-8", ...SECURITY },
  body
})

const script = (): Answer => ({
  status: 200,
  headers: { "content-type": "text/javascript; charset=utf-8", ...SECURITY },
  body: planScript()
})

const planShell: Answer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8", ...SCRIPTED },
  body: planPage()
}

/** The same bytes for every plan's id, so they are not kept by their many targets. */
export const planPageAt = (path: string): Answer | undefined => (PLAN_PAGE.test(path) ? planShell : undefined)

/** Where the bare address leads. */
export const toDocumentation: Answer = { status: 302, headers: { location: "/docs", ...SECURITY }, body: "" }

export const pageNotFound = (): Answer => page(404, notFoundPage())

/** Each is asked for once: its answer is kept as pinned bytes. */
export const makePages = (audience: string): ReadonlyMap<string, () => Answer> => {
  const all = guides()
  return new Map([
    ["/docs", () => page(200, docsPage(describeApi(audience)))],
    ["/docs/operations", () => page(200, operationsPage())],
    ["/docs/entities", () => page(200, entitiesPage(describeApi(audience)))],
    ["/docs/guides", () => page(200, guidesPage(all))],
    ...all.map(guide => [guide.path, () => page(200, guidePage(guide))] as const),
    ["/docs/errors", () => page(200, errorsPage())],
    ["/docs/signing", () => page(200, signingPage(audience))],
    ["/docs/style.css", () => stylesheet(STYLE)],
    ["/console", () => page(200, consolePage())],
    [SCRIPT_PATH, script],
    [STYLE_PATH, () => stylesheet(PLAN_STYLE)]
  ])
}
