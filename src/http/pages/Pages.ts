/** The pages for people, built on first use and the same for everyone. */
import type { Answer } from "../Answer.ts"
import { describeApi } from "../OpenApiDocument.ts"
import { consolePage } from "./ConsolePage.ts"
import { docsPage } from "./DocsPage.ts"
import { errorsPage } from "./ErrorsPage.ts"
import { notFoundPage } from "./NotFoundPage.ts"
import { signingPage } from "./SigningPage.ts"
import { STYLE } from "./Style.ts"

export const PAGE_METHODS = ["GET", "HEAD"]

const SECURITY = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer"
}

const page = (status: number, body: string): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", ...SECURITY },
  body
})

const stylesheet: Answer = {
  status: 200,
  headers: { "content-type": "text/css; charset=utf-8", ...SECURITY },
  body: STYLE
}

/** Where the bare address leads. */
export const toDocumentation: Answer = { status: 302, headers: { location: "/docs", ...SECURITY }, body: "" }

export const pageNotFound = (): Answer => page(404, notFoundPage())

/** Each is asked for once: its answer is kept as pinned bytes. */
export const makePages = (audience: string): ReadonlyMap<string, () => Answer> =>
  new Map([
    ["/docs", () => page(200, docsPage(describeApi(audience)))],
    ["/docs/errors", () => page(200, errorsPage())],
    ["/docs/signing", () => page(200, signingPage(audience))],
    ["/docs/style.css", () => stylesheet],
    ["/console", () => page(200, consolePage())]
  ])
