/** The reference that people search: a frame for the script that reads the description. */
import { html } from "./Html.ts"
import { layout } from "./Layout.ts"

export const REFERENCE_SCRIPT = "/docs/reference.js"
export const REFERENCE_STYLE = "/docs/reference.css"

export const referencePage = (): string =>
  layout(
    "Reference",
    "/docs/reference",
    html`<div id="reference"><p>This page reads the <a href="/api/v1/openapi.json">OpenAPI description</a> in your browser, so it needs JavaScript; <a href="/docs">Routes</a> says the same without.</p></div>`,
    html`<link rel="stylesheet" href="${REFERENCE_STYLE}">
<script type="module" src="${REFERENCE_SCRIPT}"></script>
`
  )
