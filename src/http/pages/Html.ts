/** HTML whose interpolated texts are always escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | undefined | ReadonlyArray<Piece>

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const textOf = (piece: Piece): string => {
  if (piece === undefined) return ""
  if (piece instanceof Html) return piece.text
  if (typeof piece === "string") return piece.replace(/[&<>"']/g, char => ESCAPES[char] ?? char)
  return typeof piece === "number" ? String(piece) : piece.map(textOf).join("")
}

export const html = (strings: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Html =>
  new Html(strings.map((part, index) => `${part}${textOf(pieces[index])}`).join(""))

export const codeHtml = (text: string): Html => html`<code>${text}</code>`

export const block = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`

export const tableHtml = (head: ReadonlyArray<string>, rows: ReadonlyArray<Html>): Html =>
  html`<div class="scroll" tabindex="0"><table><thead><tr>${head.map(cell => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
