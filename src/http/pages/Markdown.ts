/** The little Markdown that guides are written in: headings, paragraphs, lists, fenced blocks, code, and links within the site. */
import { block, code, type Html, html } from "./Html.ts"

interface Fence {
  readonly kind: "fence"
  /** The language, then the file that the block is to be kept in. */
  readonly info: string
  readonly text: string
}

type Block =
  | Fence
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: ReadonlyArray<string> }
  | { readonly kind: "paragraph"; readonly text: string }

const isFence = (line: string): boolean => line.startsWith("```")

const fenceOf = ([first = "", ...rest]: ReadonlyArray<string>): Fence => ({
  kind: "fence",
  info: first.slice(3).trim(),
  text: rest.slice(0, -1).join("\n")
})

const ITEM = /^(?:-|[0-9]+\.) /

const plainBlock = (lines: ReadonlyArray<string>): Block => {
  const [first = ""] = lines
  if (first.startsWith("## ")) return { kind: "heading", text: first.slice(3) }
  if (!ITEM.test(first)) return { kind: "paragraph", text: lines.join(" ") }
  const items = lines
    .join("\n")
    .split(/\n(?=(?:-|[0-9]+\.) )/)
    .map(item => item.replace(ITEM, "").replace(/\n\s*/g, " "))
  return { kind: "list", ordered: !first.startsWith("-"), items }
}

/** Empty lines end a block, but within a fence. */
const blocksIn = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let open: Array<string> = []
  const close = () => {
    const [first = ""] = open
    if (open.length > 0) blocks.push(isFence(first) ? fenceOf(open) : plainBlock(open))
    open = []
  }
  for (const line of text.split("\n")) {
    const inFence = open.length > 0 && isFence(open[0] ?? "")
    if (!inFence && (line.trim() === "" || isFence(line))) close()
    if (inFence || line.trim() !== "") open.push(line)
    if (inFence && line === "```") close()
  }
  close()
  return blocks
}

const INLINE = /`([^`]+)`|\[([^\]]+)\]\((\/[^)\s]*)\)/g

const inline = (text: string): ReadonlyArray<Html> => {
  const pieces: Array<Html> = []
  let from = 0
  for (const found of text.matchAll(INLINE)) {
    const [whole, literal, words = "", href = ""] = found
    pieces.push(html`${text.slice(from, found.index)}`)
    pieces.push(literal === undefined ? html`<a href="${href}">${words}</a>` : code(literal))
    from = found.index + whole.length
  }
  return [...pieces, html`${text.slice(from)}`]
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

const fenceHtml = ({ info, text }: Fence): Html => {
  const [, file] = info.split(" ")
  return file === undefined ? block(text) : html`<h4>${code(file)}</h4>${block(text)}`
}

const blockHtml = (of: Block): Html => {
  if (of.kind === "fence") return fenceHtml(of)
  if (of.kind === "heading") return html`<h2 id="${slug(of.text)}">${inline(of.text)}</h2>`
  if (of.kind === "paragraph") return html`<p>${inline(of.text)}</p>`
  const items = of.items.map(item => html`<li>${inline(item)}</li>`)
  return of.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
}

export interface Article {
  readonly title: string
  readonly body: Html
}

/** Its first line is its title. */
export const articleOf = (markdown: string): Article => {
  const [first = "", ...rest] = markdown.split("\n")
  const blocks = blocksIn(rest.join("\n"))
  return { title: first.replace(/^# /, ""), body: html`${blocks.map(each => html`${blockHtml(each)}\n`)}` }
}
