/** The console: the same empty frame for everyone, since a script in the browser fetches what is shown with the owner's signature. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../../settings/PackageRoot.ts"
import { html } from "./Html.ts"
import { layout } from "./Layout.ts"

const PLAN_PAGE = /^\/console\/plans\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isConsolePath = (path: string): boolean => PLAN_PAGE.test(path)

const BUILT = "console"

/** The script in its parts, and its stylesheet. */
export const consoleFiles = (): ReadonlyArray<readonly [path: string, file: string]> =>
  readdirSync(join(packageRoot, "dist", BUILT))
    .filter(name => /\.(?:js|css)$/.test(name))
    .map(name => [`/console/${name}`, join(BUILT, name)])

export const consoleShell = (): string =>
  layout(
    "Plan review",
    undefined,
    html`<div id="review"><p>This page reads the plan and signs with your wallet in your browser, so it needs JavaScript. If nothing else appears here, its script did not load.</p></div>`,
    html`<link rel="stylesheet" href="/console/main.css">
<script type="module" src="/console/main.js"></script>`
  )
