/** Every semantic operation with its sources and input, from its own declaration. */
import { declarations, isPlanId } from "../../operations/framework/Declarations.ts"
import { type OperationId, operationIds } from "../../operations/generated/OperationIds.ts"
import { JsonSchemas } from "../openapi/JsonSchemas.ts"
import { code, type Html, html, table } from "./Html.ts"
import { layout } from "./Layout.ts"
import { placeOf } from "./RoutesPages.ts"
import { schemaHtml, schemasHtml } from "./SchemaHtml.ts"

const GROUPS = [
  ["read", "Reads", "Answered at once from a chain, the indexed source, the service or a model."],
  ["prepare", "Preparations", "Prepared for a wallet to review and sign, or for a reader to publish."],
  ["reference", "References", "Answered from the service's own pinned data; no live state."]
] as const

/** A reader is sent to its route, whose answer and problems stand there. */
const routeLink = (id: OperationId): Html => {
  const route = isPlanId(id) ? `POST /api/v1/operations/${id}/plans` : `GET /api/v1/operations/${id}`
  return html`<a href="${placeOf(id)}">${code(route)}</a>`
}

const operationHtml = (schemas: JsonSchemas, id: OperationId): Html => {
  const { sources, title, description, input } = declarations[id]
  const rows = [
    html`<tr><td>Called by</td><td>${routeLink(id)}</td></tr>`,
    html`<tr><td>Sources</td><td>${sources.join(", ")}</td></tr>`,
    html`<tr><td>Gives</td><td>${isPlanId(id) ? "a plan of exact transactions" : "an answer"}</td></tr>`
  ]
  return html`<details class="route"><summary>${code(id)}<span class="words">${title}</span></summary><div id="${id}">
<p>${description}</p>${table(["", ""], rows)}<h4>Input</h4><div>${schemaHtml(schemas.of(input.ast))}</div>
</div></details>
`
}

export const operationsPage = (): string => {
  const schemas = new JsonSchemas("#/components/schemas/")
  const groups = GROUPS.map(([kind, name, words]) => {
    const ids = operationIds.filter(id => declarations[id].kind === kind)
    return html`<h2 id="${kind}">${name}</h2><p>${words}</p>
${ids.map(id => operationHtml(schemas, id))}`
  })
  return layout(
    "Operations",
    "/docs/operations",
    html`<p>What the service answers and prepares in the words of the protocol. The same stands for programs at ${code("GET /api/v1/catalog/operations")}, each input described in JSON Schema 2020-12.</p>
<p>The input is one JSON object: the body where a plan is prepared, else the query parameter ${code("input")}, percent-encoded once. ${code("source")} is needed where both the chain and the indexed source serve the operation; a source that fails is never replaced by the other. A part that could not be read is ${code('{"status": "unknown", "error": …}')} and never a default.</p>
<ul>${GROUPS.map(([kind, name]) => html`<li><a href="#${kind}">${name}</a></li>`)}<li><a href="#schemas">Schemas</a></li></ul>${groups}${schemasHtml(schemas.named())}`
  )
}
