/** Shows a JSON Schema in words: what kind of value, which members, which bounds. */
import { Predicate } from "effect"
import type { Document, SchemaObject } from "../openapi/Document.ts"
import { codeHtml, type Html, html } from "./Html.ts"

const COMPONENT = "#/components/schemas/"
const INLINE_DEPTH = 6

const schemas = (value: unknown): ReadonlyArray<SchemaObject> =>
  Array.isArray(value) ? value.filter(Predicate.isRecord) : []

const named = (reference: string): Html => {
  const name = reference.slice(COMPONENT.length)
  return html`<a href="#schema-${name}">${name}</a>`
}

const joined = (parts: ReadonlyArray<Html>, word: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html` ${word} ${part}`))}`

const values = (list: ReadonlyArray<unknown>): Html =>
  joined(
    list.map(value => codeHtml(JSON.stringify(value))),
    "or"
  )

const arrayKind = (schema: SchemaObject, depth: number): Html => {
  const fixed = schemas(schema.prefixItems)
  if (fixed.length > 0)
    return html`array of exactly ${joined(
      fixed.map(item => kindOf(item, depth)),
      "then"
    )}`
  if (schema.maxItems === 0) return html`empty array`
  return Predicate.isRecord(schema.items) ? html`array of ${kindOf(schema.items, depth)}` : html`array`
}

const kindOf = (schema: SchemaObject, depth: number): Html => {
  if (typeof schema.$ref === "string") return named(schema.$ref)
  if (Array.isArray(schema.enum)) return values(schema.enum)
  const alternatives = [...schemas(schema.anyOf), ...schemas(schema.allOf)]
  if (alternatives.length > 0 && schema.type === undefined)
    return joined(
      alternatives.map(part => kindOf(part, depth)),
      Array.isArray(schema.anyOf) ? "or" : "and"
    )
  if (Predicate.isRecord(schema.contentSchema)) return html`JSON of ${kindOf(schema.contentSchema, depth)}`
  if (schema.type === "array") return arrayKind(schema, depth)
  return typeof schema.type === "string" ? html`${schema.type}` : html`any JSON value`
}

const BOUNDS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"] as const

const boundsOf = (schema: SchemaObject): ReadonlyArray<Html> => [
  ...BOUNDS.filter(bound => schema[bound] !== undefined && !Array.isArray(schema.prefixItems)).map(
    bound => html`<span class="muted">${bound} ${codeHtml(String(schema[bound]))}</span> `
  ),
  ...(schema.default === undefined
    ? []
    : [html`<span class="muted">default ${codeHtml(JSON.stringify(schema.default))}</span> `])
]

/** The objects whose members a reader wants to see at this place. */
const shown = (schema: SchemaObject): ReadonlyArray<SchemaObject> => {
  if (Predicate.isRecord(schema.properties)) return [schema]
  if (Predicate.isRecord(schema.items)) return shown(schema.items)
  if (Predicate.isRecord(schema.contentSchema)) return shown(schema.contentSchema)
  return [...schemas(schema.anyOf), ...schemas(schema.allOf)].flatMap(shown)
}

const membersOf = (schema: SchemaObject, depth: number): Html => {
  const required = Array.isArray(schema.required) ? schema.required : []
  const members = Predicate.isRecord(schema.properties) ? Object.entries(schema.properties) : []
  if (members.length === 0) return html`<p class="muted">No members.</p>`
  return html`<ul class="members">${members.map(
    ([name, member]) =>
      html`<li>${codeHtml(name)} ${required.includes(name) ? undefined : html`<em class="muted">optional</em> `}${
        Predicate.isRecord(member) ? schemaHtml(member, depth + 1) : undefined
      }</li>`
  )}</ul>`
}

export const schemaHtml = (schema: SchemaObject, depth = 0): Html => {
  const inner = depth < INLINE_DEPTH ? shown(schema) : []
  const description = typeof schema.description === "string" ? `${schema.description} ` : undefined
  return html`${kindOf(schema, depth)} ${description}${boundsOf(schema)}${inner.map(part => membersOf(part, depth))}`
}

const REFERENCE = /"#\/components\/(schemas|parameters)\/([^"]+)"/g

/** What a part of the document refers to, through others. */
const referencesFrom = ({ components }: Document, part: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [reference, kind, name = ""] of (JSON.stringify(value) ?? "").matchAll(REFERENCE)) {
      if (found.has(reference)) continue
      found.add(reference)
      follow(components[kind === "schemas" ? kind : "parameters"][name])
    }
  }
  follow(part)
  return found
}

export const schemasHtml = (document: Document, part: unknown): Html => {
  const found = referencesFrom(document, part)
  const named = Object.entries(document.components.schemas).filter(([name]) =>
    found.has(`"${COMPONENT}${name}"`)
  )
  return html`<h2 id="schemas">Schemas</h2>${named.map(
    ([name, schema]) =>
      html`<details class="route"><summary><h3>${name}</h3></summary><div id="schema-${name}">${schemaHtml(schema)}</div></details>
`
  )}`
}
