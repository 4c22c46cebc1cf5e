/** What people search intents by, taken from the client's document: texts shortened, and what is none left out. */
import { Option, Schema } from "effect"
import { Address } from "../values/Scalars.ts"
import type { IntentDraft, IntentMetadata } from "./Intent.ts"

const NAME = 100
const DESCRIPTION = 10_000
const TAGLINE = 200
const TAGS = 10
const TAG = 30
const URI = 2_048
const UNTITLED = "Untitled project"

type Document = IntentDraft["jb"]

/** Text that a database stores and a line shows: well-formed, without control characters other than line breaks and tabs. */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ")
    .trim()

/** Never in the middle of a character. */
const cut = (text: string, maximum: number): string =>
  text.length <= maximum ? text : text.slice(0, maximum).replace(/[\ud800-\udbff]$/, "")

const textOf = (value: unknown, maximum: number): string | null => {
  if (typeof value !== "string") return null
  const text = plainText(cut(value, maximum))
  return text === "" ? null : text
}

const tagsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.flatMap(tag => textOf(tag, TAG) ?? []).slice(0, TAGS) : []

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** Whole or not at all: a part of a URI is another URI. */
const uriOf = (value: unknown): string | null =>
  typeof value === "string" && value.length <= URI ? textOf(value, URI) : null

const logoOf = (jb: Document): string | null =>
  uriOf(jb.logoUri) ?? uriOf(jb.logo) ?? uriOf(memberOf(jb.links, "logoUri"))

export const describeIntent = ({ jb }: IntentDraft): IntentMetadata => ({
  name: textOf(jb.name, NAME) ?? UNTITLED,
  description: textOf(jb.description, DESCRIPTION),
  tagline: textOf(jb.tagline, TAGLINE) ?? textOf(jb.projectTagline, TAGLINE),
  tags: tagsOf(jb.tags),
  logoUri: logoOf(jb),
  owner: Option.getOrNull(Schema.decodeUnknownOption(Address)(jb.owner))
})
