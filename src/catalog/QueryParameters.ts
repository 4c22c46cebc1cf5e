/** Numbers and booleans as query strings carry them, in exactly one spelling each. */
import { Schema } from "effect"

const CANONICAL_INTEGER = /^(?:0|[1-9][0-9]{0,15})$/

export const IntegerParameter = (minimum: number, maximum: number) => {
  const description = `an integer from ${minimum} to ${maximum} in plain digits`
  return Schema.transform(
    Schema.String.pipe(
      Schema.pattern(CANONICAL_INTEGER, { jsonSchema: { type: "integer", minimum, maximum } })
    ),
    Schema.Int.pipe(Schema.between(minimum, maximum)),
    { strict: true, decode: Number, encode: String }
  ).annotations({ description, message: () => ({ message: description, override: true }) })
}

export const ChainIdParameter = IntegerParameter(1, Number.MAX_SAFE_INTEGER)

export const BooleanParameter = Schema.transform(
  Schema.Literal("true", "false").annotations({ jsonSchema: { type: "boolean" } }),
  Schema.Boolean,
  { strict: true, decode: text => text === "true", encode: value => (value ? "true" : "false") }
)
