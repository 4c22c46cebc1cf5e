/** Structs that refuse members they do not know, at every border. */
import { Schema } from "effect"

export const strict = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotations({ parseOptions: { onExcessProperty: "error", errors: "first" } })
