/** Types of other rooms that the client's declarations name, written out by the compiler itself. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { API } from "typescript/unstable/sync"

/** No truncation; an alias is written out where it is what is asked for. */
const WRITTEN_OUT = 1 | (1 << 23)

/** A class or an interface, which would be written as its name. */
const NAMED = 1 | 2

const asked = new Map([
  ["Register", ["../../src/operations/generated/Register.ts", ["input", "output"]]],
  ["PlanRegister", ["../../src/operations/generated/PlanRegister.ts", ["input", "summary"]]]
])

const tsconfig = {
  extends: "../../tsconfig.json",
  compilerOptions: { noUnusedLocals: false },
  include: ["Asked.ts"]
}

/** Has the compiler look at these lines of TypeScript, which lie beside the sources. */
const withChecker = (root, directory, lines, work) => {
  writeFileSync(join(directory, "Asked.ts"), lines.join("\n"))
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(tsconfig))
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProject: join(directory, "tsconfig.json") }).getProjects()
    const { checker, program } = project
    const file = program.getSourceFile(join(directory, "Asked.ts"))
    const faults = program.getSemanticDiagnostics(join(directory, "Asked.ts"))
    if (faults.length > 0) throw new Error(faults.map(({ text }) => text).join("\n"))
    const [symbol] = checker.getExportsOfModule(checker.getSymbolAtLocation(file))
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    return work(checker, new Map(checker.getPropertiesOfType(type).map(each => [each.name, each])))
  } finally {
    api.close()
  }
}

/** What a register is made of its shapes: each by its id, as the sources declare it. */
const REGISTERED =
  "type Registered<Shapes> = { [Id in keyof Shapes]: { id: Id } & { [Part in keyof Shapes[Id]]: { Encoded: Shapes[Id][Part] } } };"

const OPTIONAL = 1 << 24

const namesIn = (checker, symbol) =>
  checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)).map(({ name }) => name)

/** The ids of both registers, and each entity's relations by what they lead to. */
const registered = (root, directory) => {
  const lines = [
    ...[...asked].map(([name, [from]]) => `import type { ${name} } from "${from}"`),
    'import { entityFacts } from "../../src/indexer/generated/Entities.ts"',
    "export interface Asked { Register: Register; PlanRegister: PlanRegister; facts: typeof entityFacts }"
  ]
  return withChecker(root, directory, lines, (checker, properties) => {
    const ids = [...asked.keys()].map(name => [name, namesIn(checker, properties.get(name))])
    const facts = checker.getPropertiesOfType(checker.getTypeOfSymbol(properties.get("facts")))
    const entities = facts.map(entity => {
      const relations = checker.getPropertyOfType(checker.getTypeOfSymbol(entity), "relations")
      const members = relations ? checker.getPropertiesOfType(checker.getTypeOfSymbol(relations)) : []
      const told = members.map(each => [each.name, checker.typeToString(checker.getTypeOfSymbol(each))])
      return [entity.name, told]
    })
    return { ids: new Map(ids), entities }
  })
}

const writtenOut = (checker, type) => {
  if ((type.objectFlags & NAMED) === 0 || !type.isClassOrInterface())
    return checker.typeToString(type, undefined, WRITTEN_OUT)
  const members = checker.getPropertiesOfType(type).map(each => {
    const optional = (each.flags & OPTIONAL) === 0 ? "" : "?"
    return `${each.name}${optional}: ${checker.typeToString(checker.getTypeOfSymbol(each), undefined, 1)};`
  })
  return `{ ${members.join(" ")} }`
}

/** What most have comes first in each, which packs well. */
const byFrequency = members => {
  const times = new Map()
  for (const field of members.flatMap(([, fields]) => fields)) times.set(field, (times.get(field) ?? 0) + 1)
  return members.map(([name, fields]) => [
    name,
    fields.toSorted((a, b) => times.get(b) - times.get(a) || (a < b ? -1 : 1))
  ])
}

/** `roots`: names with the module of each and how it is meant there, such as `typeof Plan.Encoded`. Gives declarations by name. */
export const shapesOf = (root, directory, roots) => {
  const { ids, entities } = registered(root, directory)
  const members = [
    ...roots.map(({ name, meant }) => [name, meant]),
    ...[...asked].flatMap(([name, [, parts]]) =>
      ids
        .get(name)
        .flatMap(id =>
          parts.map(part => [
            `${name} ${id} ${part}`,
            `Encoded<${name}[${JSON.stringify(id)}][${JSON.stringify(part)}]>`
          ])
        )
    ),
    ...entities.map(([name]) => [`row ${name}`, `Fields<${JSON.stringify(name)}>`])
  ]
  const lines = [
    ...roots.map(({ name, from }) => `import type { ${name} } from "${from}"`),
    ...[...asked].map(([name, [from]]) => `import type { ${name} } from "${from}"`),
    'import { entityFacts } from "../../src/indexer/generated/Entities.ts"',
    'import type { EntityRow } from "../../src/indexer/Entities.ts"',
    "type Encoded<S> = S extends { readonly Encoded: infer E } ? E : never",
    'type Fields<Name extends keyof typeof entityFacts> = { [F in keyof (typeof entityFacts)[Name]["fields"]]: F extends keyof EntityRow<Name> ? Exclude<EntityRow<Name>[F], undefined> : never }',
    `export interface Asked {\n${members.map(([name, meant]) => `${JSON.stringify(name)}: ${meant}`).join("\n")}\n}`
  ]
  return withChecker(root, directory, lines, (checker, properties) => {
    const text = name => writtenOut(checker, checker.getTypeOfSymbol(properties.get(name)))
    const registers = [...asked].map(([name, [, parts]]) => {
      const each = ids.get(name).map(id => {
        const shapes = parts.map(part => `${part}: ${text(`${name} ${id} ${part}`)};`)
        return `${id}: { ${shapes.join(" ")} };`
      })
      return [name, `type ${name} = Registered<{ ${each.join(" ")} }>;`]
    })
    const members = entities.map(([name, relations]) => [
      name,
      [
        ...text(`row ${name}`)
          .slice(1, -1)
          .split(";")
          .map(field => field.trim())
          .filter(field => field !== ""),
        ...relations.map(([relation, to]) => `${relation}: EntityRow<${to}> | null`)
      ]
    ])
    const rows = byFrequency(members).map(([name, fields]) => `${name}: { ${fields.join("; ")}; };`)
    return new Map([
      ...roots.map(({ name }) => [name, `type ${name} = ${text(name)};`]),
      ...registers,
      ["Registered", REGISTERED],
      ["EntityRows", `interface EntityRows { ${rows.join(" ")} }`],
      ["EntityName", "type EntityName = keyof EntityRows;"],
      ["EntityRow", "type EntityRow<Name extends EntityName> = Partial<EntityRows[Name]>;"]
    ])
  })
}
