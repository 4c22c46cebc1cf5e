/** Rows of the tables that the pages of several parts of the service have alike. */
import type { Entry } from "../../values/ProblemEntry.ts"
import type { Document } from "../openapi/Document.ts"
import { codeHtml, type Html, html } from "./Html.ts"

/** Those with a tag, each leading to its description. */
export const routeRows = ({ paths }: Document, tag: string): ReadonlyArray<Html> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(
        ([method, { operationId, summary }]) =>
          html`<tr><td><a href="/docs/routes/${tag.toLowerCase()}#${operationId}">${codeHtml(`${method.toUpperCase()} ${path}`)}</a></td><td>${summary}</td></tr>`
      )
  )

export const problemRows = (problems: Readonly<Record<string, Entry>>): ReadonlyArray<Html> =>
  Object.entries(problems).map(
    ([name, { status, sentence }]) =>
      html`<tr><td><a href="/docs/errors#${name.toLowerCase()}">${codeHtml(name)}</a></td><td>${status}</td><td>${sentence}</td></tr>`
  )

/** What names mean, each at an anchor of its own. */
export const meaningRows = (meanings: Readonly<Record<string, string>>): ReadonlyArray<Html> =>
  Object.entries(meanings).map(
    ([name, means]) => html`<tr id="${name}"><td>${codeHtml(name)}</td><td>${means}</td></tr>`
  )

/** Where each rule comes from. */
export const sourceRows = (
  sources: ReadonlyArray<readonly [rule: string, source: string]>
): ReadonlyArray<Html> => sources.map(([rule, source]) => html`<tr><td>${rule}</td><td>${source}</td></tr>`)
