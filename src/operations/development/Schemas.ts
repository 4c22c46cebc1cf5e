import { Schema } from "effect"
import { Sha256 } from "../../values/Scalars.ts"

export const bundle = {
  bundleId: Sha256.annotations({ description: "SHA-256 of the bundle's canonical JSON" }),
  referenceOnly: Schema.Literal(true)
}

export const page = {
  text: Schema.String,
  offset: Schema.NonNegativeInt,
  totalCharacters: Schema.NonNegativeInt,
  nextOffset: Schema.NullOr(Schema.NonNegativeInt),
  paginationUnit: Schema.Literal("UTF-16 code units")
}

export const listed = { nextOffset: Schema.NullOr(Schema.NonNegativeInt), total: Schema.NonNegativeInt }
