/** The declarations of all entities as one file, from the pinned data. */
import { Schema } from "effect"
import { formatted, type GeneratedFile } from "../Formatted.ts"

const Members = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const Pinned = Schema.parseJson(Schema.Struct({ enums: Members, entities: Members }))

const PATH = "src/indexer/generated/Entities.ts"

export const declarationsFile = (pinned: string): GeneratedFile => {
  const { enums, entities } = Schema.decodeUnknownSync(Pinned)(pinned)
  return formatted(
    PATH,
    [
      "/** Written by `npm run inventory` from the facts of the indexed source. */",
      'import type { EntityFacts } from "../EntityFacts.ts"',
      "",
      `export const entityFacts = ${JSON.stringify(entities)} as const satisfies Readonly<Record<string, EntityFacts>>`,
      "",
      "/** Own value to the source's, by enum. */",
      `export const entityEnums = ${JSON.stringify(enums)} as const`,
      ""
    ].join("\n")
  )
}
