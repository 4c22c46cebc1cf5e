/** Numbers and booleans as query strings carry them, in exactly one spelling each. */
import { Schema } from "effect"

const CANONICAL_INTEGER = /^(?:0|[1-9][0-9]{0,15})$/

export const IntegerParameter = (minimum: number, maximum: number, keywords: object = {}) => {
  const description = `an integer from ${minimum} to ${maximum} in plain digits`
  const jsonSchema = { type: "integer", minimum, maximum, description, ...keywords }
  return Schema.transform(
    Schema.String.pipe(Schema.pattern(CANONICAL_INTEGER, { jsonSchema })),
    Schema.Int.pipe(Schema.between(minimum, maximum)),
    { strict: true, decode: Number, encode: String }
  ).annotations({ description, message: () => ({ message: description, override: true }) })
}

export const ChainIdParameter = IntegerParameter(1, Number.MAX_SAFE_INTEGER)

export const IntegerParameterOr = (minimum: number, maximum: number, standard: number) =>
  Schema.optionalWith(IntegerParameter(minimum, maximum, { default: standard }), { default: () => standard })

const BooleanParameter = Schema.transform(
  Schema.Literal("true", "false").annotations({ jsonSchema: { type: "boolean", default: false } }),
  Schema.Boolean,
  { strict: true, decode: text => text === "true", encode: value => (value ? "true" : "false") }
)

/** Absent means false. */
export const FlagParameter = Schema.optionalWith(BooleanParameter, { default: () => false })
