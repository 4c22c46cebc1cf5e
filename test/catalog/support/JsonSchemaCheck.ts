/** The few keywords of JSON Schema 2020-12 that method schemas use, judged independently of how they are made. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const ofType = (value: unknown, type: unknown): boolean => {
  if (type === "array") return Array.isArray(value)
  if (type === "object") return isRecord(value)
  return type === undefined || typeof value === type
}

const resolve = (root: unknown, reference: string): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), root)

const itemsFit = (root: unknown, schema: Record<string, unknown>, value: ReadonlyArray<unknown>): boolean => {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = true } = schema
  if (value.length < Number(minItems) || value.length > Number(maxItems)) return false
  return value.every((item, index) => accepts(root, index < prefix.length ? prefix[index] : items, item))
}

const membersFit = (
  root: unknown,
  schema: Record<string, unknown>,
  value: Record<string, unknown>
): boolean => {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  if (!required.every(name => Object.hasOwn(value, String(name)))) return false
  return Object.entries(value).every(([name, member]) =>
    Object.hasOwn(properties, name)
      ? accepts(root, properties[name], member)
      : schema.additionalProperties !== false
  )
}

export const accepts = (root: unknown, schema: unknown, value: unknown): boolean => {
  if (typeof schema === "boolean") return schema
  if (!isRecord(schema)) throw new Error("a schema is a boolean or an object")
  if (typeof schema.$ref === "string") return accepts(root, resolve(root, schema.$ref), value)
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some(one => accepts(root, one, value))
  if (!ofType(value, schema.type)) return false
  if (typeof schema.pattern === "string" && !new RegExp(schema.pattern, "u").test(String(value))) return false
  if (Array.isArray(value)) return itemsFit(root, schema, value)
  return isRecord(value) ? membersFit(root, schema, value) : true
}
