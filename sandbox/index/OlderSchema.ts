/** The schema of a source that lags behind: without some entities, and without some fields of others. */
import { type DocumentNode, Kind, type TypeNode, visit } from "graphql"

const namedIn = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : namedIn(type.type)

const SUFFIX = /^(?:_not)?(?:_in|_has|_gte?|_lte?|_(?:contains|starts_with|ends_with)(?:_nocase)?)?$/

const isFilterOf = (key: string, field: string): boolean =>
  key.startsWith(field) && SUFFIX.test(key.slice(field.length))

/** Names are those of entities, or of a field behind its entity and a dot. */
export const without = (document: DocumentNode, lacking: ReadonlyArray<string>): DocumentNode => {
  const entities = lacking.filter(name => !name.includes("."))
  const gone = new Set(entities.flatMap(name => [name, `${name}Page`, `${name}Filter`]))
  const fields = lacking.filter(name => name.includes(".")).map(name => name.split("."))
  const lacks = (type: string, field: string) =>
    fields.some(([entity, name = ""]) =>
      type === `${entity}Filter` ? isFilterOf(field, name) : type === entity && field === name
    )
  return visit(document, {
    ObjectTypeDefinition: node =>
      gone.has(node.name.value)
        ? null
        : {
            ...node,
            fields: node.fields?.filter(
              ({ name, type }) => !gone.has(namedIn(type)) && !lacks(node.name.value, name.value)
            )
          },
    InputObjectTypeDefinition: node =>
      gone.has(node.name.value)
        ? null
        : { ...node, fields: node.fields?.filter(({ name }) => !lacks(node.name.value, name.value)) }
  })
}
