/** JSON Schemas of the API's wire forms, named ones gathered once for the whole document. */
import { JSONSchema, Option, type Schema, SchemaAST } from "effect"
import type { SchemaObject } from "./Document.ts"

/** Titles and identifiers that say nothing about the API and would repeat within one document. */
const NOISE = new Set(["$id", "$comment", "title"])

/** Keywords whose values are data rather than schemas. */
const DATA = new Set(["default", "examples", "enum", "const"])

const cleaned = (value: unknown, membersAreNames = false): unknown => {
  if (Array.isArray(value)) return value.map(item => cleaned(item))
  if (typeof value !== "object" || value === null) return value
  const member = (key: string, inner: unknown) => {
    if (membersAreNames) return cleaned(inner)
    return DATA.has(key) ? inner : cleaned(inner, key === "properties")
  }
  const clean = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => membersAreNames || !NOISE.has(key))
      .map(([key, inner]) => [key, member(key, inner)])
  )
  return membersAreNames ? clean : withItems(clean)
}

const wireForm = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, member) => (typeof member === "bigint" ? String(member) : member)))

/** What the decoder fills in for an absent member, where that is a JSON value. */
const defaultOf = (transformation: SchemaAST.PropertySignatureTransformation): Option.Option<unknown> =>
  Option.map(
    Option.filter(transformation.decode(Option.none()), value => !Option.isOption(value)),
    wireForm
  )

const withMemberDefault = (
  member: SchemaAST.PropertySignature,
  transformations: ReadonlyArray<SchemaAST.PropertySignatureTransformation>
): SchemaAST.PropertySignature => {
  const own = transformations.find(({ to }) => to === member.name)
  const found = own === undefined ? Option.none() : defaultOf(own)
  return new SchemaAST.PropertySignature(
    member.name,
    member.type,
    member.isOptional,
    member.isReadonly,
    Option.isNone(found)
      ? member.annotations
      : { ...member.annotations, [SchemaAST.DefaultAnnotationId]: found.value }
  )
}

const withTransformedDefaults = (ast: SchemaAST.Transformation): SchemaAST.AST => {
  const { transformation, to } = ast
  const filled =
    transformation._tag === "TypeLiteralTransformation" && to._tag === "TypeLiteral"
      ? new SchemaAST.TypeLiteral(
          to.propertySignatures.map(member =>
            withMemberDefault(member, transformation.propertySignatureTransformations)
          ),
          to.indexSignatures,
          to.annotations
        )
      : to
  return new SchemaAST.Transformation(withDefaults(ast.from), filled, transformation, ast.annotations)
}

const withElementDefaults = (ast: SchemaAST.TupleType): SchemaAST.AST =>
  new SchemaAST.TupleType(
    ast.elements.map(
      ({ type, isOptional, annotations }) =>
        new SchemaAST.OptionalType(withDefaults(type), isOptional, annotations)
    ),
    ast.rest.map(({ type, annotations }) => new SchemaAST.Type(withDefaults(type), annotations)),
    ast.isReadonly,
    ast.annotations
  )

/** The generator takes a struct without members for any value at all. */
const EMPTY_OBJECT = { type: "object", properties: {}, additionalProperties: false }

const withMembersDefaults = (ast: SchemaAST.TypeLiteral): SchemaAST.AST => {
  const { propertySignatures, indexSignatures, annotations } = ast
  const members = propertySignatures.map(
    ({ name, type, isOptional, isReadonly, annotations }) =>
      new SchemaAST.PropertySignature(name, withDefaults(type), isOptional, isReadonly, annotations)
  )
  return new SchemaAST.TypeLiteral(
    members,
    indexSignatures,
    members.length + indexSignatures.length > 0
      ? annotations
      : { ...annotations, [SchemaAST.JSONSchemaAnnotationId]: EMPTY_OBJECT }
  )
}

/** A pattern says more than the template literal under it; of two patterns for one text generators make none. */
const withoutTemplate = (ast: SchemaAST.AST): SchemaAST.AST =>
  SchemaAST.isTemplateLiteral(ast) ? SchemaAST.stringKeyword : withDefaults(ast)

/** Decoders know their defaults as functions; the description needs them as values. */
const withDefaults = (ast: SchemaAST.AST): SchemaAST.AST => {
  switch (ast._tag) {
    case "Transformation":
      return withTransformedDefaults(ast)
    case "TypeLiteral":
      return withMembersDefaults(ast)
    case "TupleType":
      return withElementDefaults(ast)
    case "Union":
      return SchemaAST.Union.make(ast.types.map(withDefaults), ast.annotations)
    case "Refinement":
      return new SchemaAST.Refinement(withoutTemplate(ast.from), ast.filter, ast.annotations)
    case "Suspend":
      return new SchemaAST.Suspend(() => withDefaults(ast.f()), ast.annotations)
    default:
      return ast
  }
}

const distinct = (schemas: ReadonlyArray<unknown>): ReadonlyArray<unknown> => [
  ...new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values()
]

/** Every array says what its items are, of a fixed length too: what reads descriptions seldom takes `items` for false or absent. */
const withItems = (schema: SchemaObject): SchemaObject => {
  const { prefixItems, items, ...rest } = schema
  if (schema.type !== "array" || (typeof items === "object" && items !== null)) return schema
  if (!Array.isArray(prefixItems)) return { ...schema, items: {} }
  const kinds = distinct(prefixItems)
  const [only] = kinds
  const maxItems = prefixItems.length
  return kinds.length === 1
    ? { ...rest, maxItems, items: only }
    : { ...rest, maxItems, prefixItems, items: { anyOf: kinds } }
}

const isSchemaObject = (value: unknown): value is SchemaObject => typeof value === "object" && value !== null

const asSchema = (value: unknown): SchemaObject => {
  const clean = cleaned(value)
  return isSchemaObject(clean) ? clean : {}
}

export interface SchemaMember {
  readonly name: string
  readonly schema: SchemaObject
  readonly required: boolean
}

export class JsonSchemas {
  private readonly definitions: Record<string, JSONSchema.JsonSchema7> = {}
  private readonly place: string

  constructor(place: "#/components/schemas/" | "#/$defs/") {
    this.place = place
  }

  of(ast: SchemaAST.AST): SchemaObject {
    return asSchema(
      JSONSchema.fromAST(withDefaults(ast), {
        definitions: this.definitions,
        definitionPath: this.place,
        target: "openApi3.1"
      })
    )
  }

  /** The members of a struct, itself unnamed. */
  members(schema: Schema.Schema.All): ReadonlyArray<SchemaMember> {
    const { properties, required } = this.of(SchemaAST.annotations(schema.ast, {}))
    return isSchemaObject(properties)
      ? Object.entries(properties).map(([name, member]) => ({
          name,
          schema: isSchemaObject(member) ? member : {},
          required: Array.isArray(required) && required.includes(name)
        }))
      : []
  }

  definition(name: string): SchemaObject {
    return asSchema(this.definitions[name])
  }

  /** Every named schema that was met so far, by name. */
  named(): Readonly<Record<string, SchemaObject>> {
    const names = Object.keys(this.definitions).sort()
    return Object.fromEntries(names.map(name => [name, this.definition(name)]))
  }
}
