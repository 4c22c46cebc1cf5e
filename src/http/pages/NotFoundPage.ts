import { html } from "./Html.ts"
import { layout } from "./Layout.ts"

export const notFoundPage = (): string =>
  layout(
    "Not found",
    undefined,
    html`<p>There is no page here. <a href="/docs">The documentation</a> lists what there is.</p>`
  )
