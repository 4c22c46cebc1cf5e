/** The console: the same empty frame for everyone, since a script in the browser fetches what is shown with the owner's signature. */
import { codeHtml, html } from "./Html.ts"
import { layout } from "./Layout.ts"

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

/** Which the person fills in, and a link may have begun. */
const FILLED = /^\/console\/(?:do(?:\/[a-z0-9_]{1,64})?|projects|wallets\/bind|sessions\/new)$/

const UNFILLED = new RegExp(
  `^/console(?:/(?:plans(?:/${UUID})?|(?:sponsorships|operations)/${UUID}|sessions(?:/${UUID})?|wallets(?:/(?:create|0x[0-9a-f]{64}))?|sign|bots|profile|projects/[1-9][0-9]{0,15}/[1-9][0-9]{0,77}|activity))?$`
)

/** Whether its address may carry a query, which its script reads. */
export const isFilledPage = (path: string): boolean => FILLED.test(path)

export const isConsolePath = (path: string): boolean => FILLED.test(path) || UNFILLED.test(path)

const SECTIONS = [
  ["/console", "Home"],
  ["/console/do", "Do"],
  ["/console/plans", "Plans"],
  ["/console/wallets", "Wallets"],
  ["/console/sessions", "Sessions"],
  ["/console/projects", "Projects"],
  ["/console/activity", "Activity"],
  ["/console/bots", "Bots"],
  ["/console/profile", "Profile"]
] as const

export const consoleShell = (): string =>
  layout(
    "Console",
    "/console",
    html`<div id="review"><p>The console reads and signs with your wallet in your browser, so it needs JavaScript. If nothing else appears here, its script did not load.</p>
<p>Accounts have no password: every change is one request that the owner's wallet signs. What the console does, the command line does too (${codeHtml("service --help")}), and so does any client that <a href="/docs/signing">signs requests</a>.</p></div>`,
    html`<link rel="stylesheet" href="/console/main.css">
<script type="module" src="/console/main.js"></script>`,
    html`<nav class="console" aria-label="Console">${SECTIONS.map(([path, name]) => html`<a href="${path}">${name}</a>`)}</nav>
`
  )
