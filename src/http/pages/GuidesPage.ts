/** The journeys, each a page of commands that a test runs as they are printed. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../../settings/PackageRoot.ts"
import { html } from "./Html.ts"
import { layout } from "./Layout.ts"
import { type Article, articleOf } from "./Markdown.ts"

const DIRECTORY = join(packageRoot, "docs", "guides", "journeys")

export interface Guide {
  readonly path: string
  /** Read when it is first asked for. */
  readonly article: () => Article
}

const guideIn = (file: string): Guide => {
  let read: Article | undefined
  return {
    path: `/docs/guides/${file.replace(/^[0-9]+-|\.md$/g, "")}`,
    article: () => {
      read ??= articleOf(readFileSync(join(DIRECTORY, file), "utf8"))
      return read
    }
  }
}

/** In the order of their files' numbers. */
export const guides = (): ReadonlyArray<Guide> =>
  readdirSync(DIRECTORY)
    .filter(name => name.endsWith(".md"))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map(guideIn)

export const guidesPage = (all: ReadonlyArray<Guide>): string =>
  layout(
    "Guides",
    "/docs/guides",
    html`<p>One page for each journey, from the command line and in TypeScript, on the local chain that <code>npm start</code> brings. Every command and every program stands here as a test runs it. On another chain the addresses and ids are others; the commands are the same.</p>
<ol>${all.map(({ path, article }) => html`<li><a href="${path}">${article().title}</a></li>`)}</ol>
<p>What an operation takes and answers stands under <a href="/docs/operations">Operations</a>; <code>service &lt;command&gt; --help</code> shows a command's flags.</p>`
  )

export const guidePage = ({ article }: Guide): string => {
  const { title, body } = article()
  return layout(title, undefined, html`<p><a href="/docs/guides">All guides</a></p>\n${body}`)
}
