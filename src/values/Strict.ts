/** Structs that refuse members they do not know, at every border. */
import { Schema } from "effect"

export const strict = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotations({ parseOptions: { onExcessProperty: "error", errors: "first" } })

/** A struct without fields would take anything but null. */
export const emptyObject = Schema.Struct({}).pipe(
  Schema.filter(
    value => !Array.isArray(value) && typeof value === "object" && Object.keys(value).length === 0,
    {
      message: () => "an object without members",
      jsonSchema: { type: "object", properties: {}, additionalProperties: false }
    }
  )
)
