/** The registers of all operations as files, each from the folders that are there. */
import { join } from "node:path"
import { formatted, type GeneratedFile } from "../Formatted.ts"
import { type Folder, families, folders, OPERATIONS } from "./Folders.ts"
import { inOrder } from "./Order.ts"

const GENERATED = join(OPERATIONS, "generated")

const camel = (id: string): string => id.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const runOf = (id: string): string => camel(`run_${id}`)

const idsFile = join(GENERATED, "OperationIds.ts")
const familiesFile = join(GENERATED, "Families.ts")

const ids = inOrder(
  folders.map(({ id }) => id),
  idsFile,
  /"(\w+)"/g
)
const byId = new Map(folders.map(folder => [folder.id, folder]))
const ordered: ReadonlyArray<Folder> = ids.flatMap(id => byId.get(id) ?? [])
const plans = ordered.filter(({ isPlan }) => isPlan)
const reads = ordered.filter(({ isPlan }) => !isPlan)

const strings = (values: ReadonlyArray<string>): string => `[${values.map(value => `"${value}"`).join(", ")}]`

const importOf = (names: string, { family, id }: Folder, file: string): string =>
  `import { ${names} } from "../${family}/${id}/${file}.ts"`

const members = (of: ReadonlyArray<Folder>, separator: string, memberOf: (id: string) => string): string =>
  of.map(({ id }) => memberOf(id)).join(separator)

const identifiers = (): string => `
const ids = ${strings(ids)} as const

const plans = ${strings(plans.map(({ id }) => id))} as const

export type OperationId = (typeof ids)[number]

/** Prepared as plans. */
export type PrepareId = (typeof plans)[number]

/** Answered at once. */
export type ReadId = Exclude<OperationId, PrepareId>

export const operationIds: ReadonlyArray<OperationId> = ids

export const planIds: ReadonlyArray<PrepareId> = plans
`

const registerOf = (of: ReadonlyArray<Folder>, type: string, name: string, declared: string, id: string) => `
import type { ${declared} } from "../framework/${declared === "AnyDeclared" ? "Operation" : "PlanOperation"}.ts"
${of.map(folder => importOf(camel(folder.id), folder, "Declaration")).join("\n")}
import type { ${id} } from "./OperationIds.ts"

/** By reference: written out, the types of all schemas together are more than a declaration file holds. */
export interface ${type} extends Readonly<Record<${id}, ${declared}>> {
${members(of, "\n", each => `readonly ${each}: typeof ${camel(each)}`)}
}

export const ${name}: ${type} = {
${members(of, ",\n", each => `${each}: ${camel(each)}`)}
}
`

const runsOf = (
  of: ReadonlyArray<Folder>,
  name: string,
  [type, file]: readonly [string, string],
  id: string
) => `
import type { ${type} } from "../framework/${file}.ts"
${of.map(folder => importOf(runOf(folder.id), folder, "Run")).join("\n")}
import type { ${id} } from "./OperationIds.ts"

/** By reference, as the declarations. */
type All = {
${members(of, "\n", each => `readonly ${each}: typeof ${runOf(each)}`)}
}

export const ${name}: All = {
${members(of, ",\n", each => `${each}: ${runOf(each)}`)}
} satisfies { readonly [Id in ${id}]: ${type}<unknown> }
`

const familiesText = (): string => {
  const all = inOrder(families, familiesFile, /\bid: "(\w+)"/g)
  const operationsOf = (family: string) =>
    ordered.filter(folder => folder.family === family).map(({ id }) => id)
  return `
import type { ListedFamily } from "../framework/OperationFamily.ts"
${all.map(family => `import { ${family}Family } from "../${family}/Family.ts"`).join("\n")}

export const families: ReadonlyArray<ListedFamily> = [
${all.map(family => `{ id: "${family}", ...${family}Family, operations: ${strings(operationsOf(family))} }`).join(",\n")}
]
`
}

const texts = (): Readonly<Record<string, readonly [what: string, text: string]>> => ({
  "OperationIds.ts": ["their ids, in the order of publication", identifiers()],
  "Register.ts": [
    "the declarations of those that are answered at once",
    registerOf(reads, "Register", "register", "AnyDeclared", "ReadId")
  ],
  "PlanRegister.ts": [
    "the declarations of those that are prepared as plans",
    registerOf(plans, "PlanRegister", "planRegister", "AnyDeclaredPlan", "PrepareId")
  ],
  "Runs.ts": [
    "what those do that are answered at once",
    runsOf(reads, "runs", ["Operation", "Operation"], "ReadId")
  ],
  "PlanRuns.ts": [
    "what those do that are prepared as plans",
    runsOf(plans, "planRuns", ["PlanOperation", "DefinePlan"], "PrepareId")
  ],
  "Families.ts": ["the families with their operations", familiesText()]
})

/** A sorted import takes the header along with a line that is not wanted. */
const attached = (text: string): string => text.replace("*/\n\nimport", "*/\nimport")

export const generatedFiles = (): ReadonlyArray<GeneratedFile> =>
  Object.entries(texts()).map(([name, [what, text]]) => {
    const path = join(GENERATED, name)
    const head = `/** Written by \`npm run operations\` from the folders of the operations: ${what}. */`
    return { path, text: attached(formatted(path, `${head}\n${text.trim()}\n`).text) }
  })
