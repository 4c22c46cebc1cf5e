/** Guides in Markdown, and the sections of the README. */
import { readdir } from "node:fs/promises"
import type { ReferenceDocument } from "../../src/references/Reference.ts"
import { documentOf, type OwnFile, readOwn } from "./Source.ts"

const titleOf = ({ text }: OwnFile): string => /^# (.+)$/m.exec(text)?.[1] ?? "Guide"

const guidesIn = async (category: "sdk" | "skills"): Promise<ReadonlyArray<ReferenceDocument>> => {
  const names = (await readdir(`docs/guides/${category}`)).filter(name => name.endsWith(".md")).sort()
  return Promise.all(
    names.map(async name => {
      const file = await readOwn(`docs/guides/${category}/${name}`)
      return documentOf(category, name.slice(0, -3), titleOf(file), file.text, file)
    })
  )
}

export const guideDocuments = async (): Promise<ReadonlyArray<ReferenceDocument>> => [
  ...(await guidesIn("sdk")),
  ...(await guidesIn("skills"))
]

const JOURNEYS = "docs/guides/journeys"

/** By the names by which they are served. */
export const journeyDocuments = async (): Promise<ReadonlyArray<ReferenceDocument>> => {
  const names = (await readdir(JOURNEYS)).filter(name => name.endsWith(".md"))
  return Promise.all(
    names.map(async name => {
      const file = await readOwn(`${JOURNEYS}/${name}`)
      const id = `guides/${name.replace(/^[0-9]+-|\.md$/g, "")}`
      return documentOf("service", id, titleOf(file), file.text, file)
    })
  )
}

const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

export const readmeDocuments = async (): Promise<ReadonlyArray<ReferenceDocument>> => {
  const file = await readOwn("README.md")
  return file.text
    .split(/^## /m)
    .slice(1)
    .map(section => {
      const title = section.split("\n", 1)[0] ?? ""
      return documentOf("service", `readme/${slug(title)}`, title, `## ${section}`, file)
    })
}
