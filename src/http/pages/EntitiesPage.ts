/** Every indexed entity with its key, fields, filters and relations, from its own declaration. */
import { catalogEntity, classified } from "../../indexer/DescribeCatalog.ts"
import { type Entity, entities } from "../../indexer/Entities.ts"
import { type CatalogEntity, SEMANTICS } from "../../indexer/IndexerSchemas.ts"
import { entityRoutes } from "../api/Indexer.ts"
import type { Document } from "../openapi/Document.ts"
import { codeHtml, type Html, html, tableHtml } from "./Html.ts"
import { layout } from "./Layout.ts"

const KINDS = [
  ["event", "Events", "What happened once, in a transaction."],
  ["state", "States", "What is now, as far as it is indexed."],
  ["snapshot", "Snapshots", "What was at a block or a time."]
] as const

const ofKind = (kind: string): ReadonlyArray<Entity> =>
  entities.filter(({ name }) => classified(name) === kind)

const INDEX = "/docs/entities"

const pathOf = (kind: string) => `${INDEX}/${kind}`

const placeOf = (name: string): string => `${pathOf(classified(name))}#${name}`

const filtersOf = ({ filters }: Entity, name: string): string =>
  [...filters.values()]
    .filter(({ column }) => column.name === name)
    .map(({ suffix }) => (suffix === "" ? "is" : suffix))
    .join(" ")

const orderOf = (entity: Entity, { nullableOrder }: CatalogEntity, name: string): string => {
  const column = entity.columns.get(name)
  if (column === undefined || column.list || column.base === "JSON") return "no"
  return nullableOrder.includes(name) ? "yes, null last" : "yes"
}

type Field = CatalogEntity["fields"][number]

const fieldRow = (entity: Entity, row: CatalogEntity, { name, type, onRequest }: Field): Html =>
  html`<tr><td>${codeHtml(name)}</td><td>${codeHtml(type)}${onRequest === true ? ", on request" : ""}</td><td>${orderOf(entity, row, name)}</td><td>${filtersOf(entity, name)}</td></tr>`

const leadsTo = ({ relatedEntity, access, unsupportedReason }: Field): Html => {
  if (unsupportedReason !== undefined) return html`not selectable: ${unsupportedReason}`
  const target = html`<a href="${placeOf(relatedEntity ?? "")}">${relatedEntity ?? ""}</a>`
  return access === "separate-entity-list" ? html`${target}, read as its own list` : target
}

const relationsHtml = (fields: ReadonlyArray<Field>): Html | undefined =>
  fields.length === 0
    ? undefined
    : html`<h4>Relations</h4>${tableHtml(
        ["Name", "Leads to"],
        fields.map(field => html`<tr><td>${codeHtml(field.name)}</td><td>${leadsTo(field)}</td></tr>`)
      )}`

const routesOf = (document: Document, name: string): ReadonlyArray<Html> =>
  entityRoutes
    .filter(({ entity }) => entity === name)
    .flatMap(({ list, record }) => [list, record])
    .map(
      ({ path: at }) =>
        html`<tr><td>${codeHtml(`GET ${at}`)}</td><td>${document.paths[at]?.get?.summary ?? ""}</td></tr>`
    )

const isRelation = (entity: Entity, { name }: Field) =>
  !entity.columns.has(name) || !(name in entity.facts.fields)

const entityHtml = (document: Document, entity: Entity, row: CatalogEntity): Html => {
  const relations = row.fields.filter(field => isRelation(entity, field))
  const scalars = row.fields.filter(field => !isRelation(entity, field))
  const key = row.singleArgs.map(({ name, type }) => `${name} ${type}`).join(", ")
  return html`<details class="route"><summary>${codeHtml(row.name)}<span class="words">${scalars.length} fields</span></summary><div id="${row.name}">
${tableHtml(["", ""], routesOf(document, row.name))}<p>Key: ${codeHtml(key)}. In every row: ${codeHtml(row.identity.join(", "))}.</p>
<h4>Fields</h4>${tableHtml(
    ["Name", "Type", "Order", "Filters"],
    scalars.map(field => fieldRow(entity, row, field))
  )}${relationsHtml(relations)}
</div></details>
`
}

const sharedWords = (document: Document): ReadonlyArray<Html> =>
  entityRoutes
    .slice(0, 1)
    .flatMap(({ list, record }) => [list, record])
    .map(({ path: at }) => html`<p>${document.paths[at]?.get?.description ?? ""}</p>`)

const kindPage = (document: Document, [kind, name, words]: (typeof KINDS)[number]): string =>
  layout(
    name,
    undefined,
    html`<p><a href="${INDEX}">All entities</a></p><p>${words}</p>
${ofKind(kind).map(entity => entityHtml(document, entity, catalogEntity(entity)))}`
  )

const nameRow = ({ name, facts }: Entity): Html =>
  html`<tr><td><a href="${placeOf(name)}">${codeHtml(name)}</a></td><td>${Object.keys(facts.fields).length} fields</td></tr>`

const indexPage = (document: Document): string =>
  layout(
    "Entities",
    INDEX,
    html`<p>What the indexed source keeps. The same stands for programs at ${codeHtml("GET /api/v1/catalog/indexer")}, with what a configured source does not serve. The parameters and problems of all these routes are those of <a href="/docs/routes/indexer#listIndexerEntity">the list</a> and <a href="/docs/routes/indexer#getIndexerRecord">the record</a> of any entity.</p>
${sharedWords(document)}<p>${SEMANTICS.monetaryValues} ${SEMANTICS.state} ${SEMANTICS.metadata} ${SEMANTICS.scope}</p>
<p>Without ${codeHtml("fields")} an answer has the first 32 scalars but those marked ${codeHtml("on request")}: documents that are long on chain. Named in ${codeHtml("fields")} they are given, cut where they are longer than ${codeHtml("maxStringBytes")}.</p>
${KINDS.map(
  ([kind, name, words]) => html`<h2 id="${kind}"><a href="${pathOf(kind)}">${name}</a></h2><p>${words}</p>
${tableHtml(["Name", ""], ofKind(kind).map(nameRow))}
`
)}`
  )

type Page = readonly [path: string, write: (document: Document) => string]

export const entitiesPages: ReadonlyArray<Page> = [
  [INDEX, indexPage],
  ...KINDS.map(kind => [pathOf(kind[0]), document => kindPage(document, kind)] satisfies Page)
]
