/** The page on which a person reviews and signs a plan: the same empty frame for everyone, since a script in the browser fetches the plan with the owner's signature. */
import { html } from "./Html.ts"
import { layout } from "./Layout.ts"

export const PLAN_PAGE = /^\/console\/plans\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const SCRIPT_PATH = "/console/plan.js"
export const STYLE_PATH = "/console/plan.css"

export const planPage = (): string =>
  layout(
    "Plan review",
    undefined,
    html`<div id="review"><p>This page reads the plan and signs with your wallet in your browser, so it needs JavaScript. If nothing else appears here, its script did not load.</p></div>`,
    html`<link rel="stylesheet" href="${STYLE_PATH}">
<script type="module" src="${SCRIPT_PATH}"></script>`
  )
