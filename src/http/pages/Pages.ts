/** The pages for people, built on first use and the same for everyone. */
import { join } from "node:path"
import type { Declaration } from "../../operations/framework/Declarations.ts"
import { packageRoot } from "../../settings/PackageRoot.ts"
import type { Answer } from "../Answer.ts"
import type { Document } from "../openapi/Document.ts"
import { builtFiles } from "./BuiltFiles.ts"
import { consoleShell, isConsolePath } from "./ConsoleShell.ts"
import { entitiesPages } from "./EntitiesPage.ts"
import { errorsPage } from "./ErrorsPage.ts"
import { guidePage, guides, guidesPage } from "./GuidesPage.ts"
import { notFoundPage } from "./NotFoundPage.ts"
import { referencePage } from "./ReferencePage.ts"
import { type AddedGroup, routesPages } from "./RoutesPages.ts"
import { sessionsPage } from "./SessionsPage.ts"
import { signingPage } from "./SigningPage.ts"
import { smartAccountsPage } from "./SmartAccountsPage.ts"
import { sponsorshipPage } from "./SponsorshipPage.ts"
import { STYLE } from "./Style.ts"
import { userOperationsPage } from "./UserOperationsPage.ts"
import { walletPaymentsPage } from "./WalletPaymentsPage.ts"

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

/** A script that others wrote and that makes markup: it has the same bounds but those on text, and pictures that its stylesheet brings. */
const EXPLORED = {
  ...SCRIPTED,
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

const page = (status: number, body: string, security: Answer["headers"] = SECURITY): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", ...security },
  body
})

const asset = (type: "css" | "javascript", body: Answer["body"]): Answer => ({
  status: 200,
  headers: { "content-type": `text/${type}; charset=utf-8`, ...SECURITY },
  body
})

/** Of a script that is its own. */
export const scripted = (status: number, body: string): Answer => page(status, body, SCRIPTED)

const shell = scripted(200, consoleShell())

/** The same bytes for all that its script shows, so they are not kept by their many targets. */
export const consoleAt = (path: string): Answer | undefined => (isConsolePath(path) ? shell : undefined)

/** Where the bare address leads. */
export const toDocumentation: Answer = { status: 302, headers: { location: "/docs", ...SECURITY }, body: "" }

export const pageNotFound = (): Answer => page(404, notFoundPage())

export type Pages = ReadonlyMap<string, () => Answer>

interface Described {
  readonly audience: string
  readonly description: (audience: string) => Document
  readonly declared: ReadonlyArray<Declaration>
  /** Groups of routes besides ours. */
  readonly added: ReadonlyArray<AddedGroup>
}

/** Each is asked for once: its answer is kept as pinned bytes. `folder` has what was built for browsers. */
export const makePages = (
  { audience, description, declared, added }: Described,
  folder = join(packageRoot, "dist")
): Pages => {
  const all = guides()
  const described = [...routesPages(declared, added), ...entitiesPages].map(
    ([path, write]) => [path, () => page(200, write(description(audience)))] as const
  )
  return new Map([
    ...described,
    ["/docs/guides", () => page(200, guidesPage(all))],
    ...all.map(guide => [guide.path, () => page(200, guidePage(guide))] as const),
    ["/docs/errors", () => page(200, errorsPage())],
    ["/docs/signing", () => page(200, signingPage(audience))],
    ["/docs/sponsorship", () => page(200, sponsorshipPage(description(audience)))],
    ["/docs/smart-accounts", () => page(200, smartAccountsPage(description(audience)))],
    ["/docs/user-operations", () => page(200, userOperationsPage(description(audience)))],
    ["/docs/sessions", () => page(200, sessionsPage(description(audience)))],
    ["/docs/wallet-payments", () => page(200, walletPaymentsPage(description(audience)))],
    ["/docs/style.css", () => asset("css", STYLE)],
    ["/docs/reference", () => page(200, referencePage(), EXPLORED)],
    ...builtFiles(folder).map(
      ([path, body]) => [path, () => asset(path.endsWith(".css") ? "css" : "javascript", body)] as const
    )
  ])
}
