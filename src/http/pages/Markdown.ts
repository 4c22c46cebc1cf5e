/** Guides from Markdown: markup in them stays text, links lead within the site, and images become links. */
import MarkdownIt from "markdown-it"
import { block, codeHtml, Html, html } from "./Html.ts"

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

const markdown = new MarkdownIt("commonmark", { html: false }).disable("image")

markdown.validateLink = href => /^\/(?!\/)/.test(href)

/** Beside the language stands the file that the block is to be kept in. */
markdown.renderer.rules.fence = (tokens, index) => {
  const { info = "", content = "" } = tokens[index] ?? {}
  const [, file] = info.split(" ")
  const shown = block(content.replace(/\n$/, ""))
  return html`${file === undefined ? undefined : html`<h4>${codeHtml(file)}</h4>`}${shown}\n`.text
}

markdown.renderer.rules.heading_open = (tokens, index, options, _, renderer) => {
  tokens[index]?.attrSet("id", slug(tokens[index + 1]?.content ?? ""))
  return renderer.renderToken(tokens, index, options)
}

export interface Article {
  readonly title: string
  readonly body: Html
}

/** Its first heading is its title. */
export const articleOf = (text: string): Article => {
  const [, title, , ...body] = markdown.parse(text, {})
  return { title: title?.content ?? "", body: new Html(markdown.renderer.render(body, markdown.options, {})) }
}
