/** What the functions of each contract take, as types: what no contract has does then not compile. */
import { Effect } from "effect"
import { type Abi, type AbiFunction, canonicalSignature, functionsOf } from "../../src/catalog/Abi.ts"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { loadInventory } from "../../src/catalog/LoadInventory.ts"
import { idsByName } from "../../src/protocol/ContractNames.ts"

const DIRECTORY = "schema/protocol"
const PATH = "src/catalog/generated/ContractFunctions.ts"

const HEAD = `/** Written by \`npm run schema\` from the pinned ABIs: what the functions of each contract take, by the name that a read may call each by. */
export interface ContractFunctions {`

const parametersOf = (entry: AbiFunction): string =>
  canonicalSignature(entry).slice(entry.name.length + 1, -1)

/** By bare name where it is not overloaded, else by full canonical signature. */
const namedIn = (abi: Abi): ReadonlyArray<readonly [name: string, parameters: string]> => {
  const functions = functionsOf(abi)
  const isAlone = ({ name }: AbiFunction) => functions.filter(other => other.name === name).length === 1
  return functions.map(entry => [
    isAlone(entry) ? entry.name : canonicalSignature(entry),
    parametersOf(entry)
  ])
}

const quoted = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `"${name}"`)

const membersOf = (abis: ReadonlyArray<Abi>): ReadonlyArray<string> => {
  const taken = new Map<string, Set<string>>()
  for (const [name, parameters] of abis.flatMap(namedIn))
    taken.set(name, (taken.get(name) ?? new Set()).add(`"${parameters}"`))
  return [...taken]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, parameters]) => `    readonly ${quoted(name)}: ${[...parameters].sort().join(" | ")}`)
}

/** By their paths. */
export const contractFunctions: Effect.Effect<Readonly<Record<string, string>>> = Effect.gen(function* () {
  const catalog = yield* Catalog
  const { deployments, abis } = yield* loadInventory(DIRECTORY)
  const abisOf = Effect.fnUntraced(function* (id: string) {
    const { abiHash } = yield* catalog.declaration(id)
    const published = deployments.filter(row => row.contractId === id).map(row => row.abiHash)
    const hashes = new Set([...published, ...(abiHash === null ? [] : [abiHash])])
    return [...abis].filter(([hash]) => hashes.has(hash)).map(([, abi]) => abi)
  })
  const parts = yield* Effect.forEach([...(yield* idsByName(catalog))].sort(), ([name, id]) =>
    Effect.map(abisOf(id), found => ({ name, members: membersOf(found) }))
  )
  const interfaces = parts
    .filter(({ members }) => members.length > 0)
    .map(({ name, members }) => `  readonly ${name}: {\n${members.join("\n")}\n  }`)
  return { [PATH]: `${HEAD}\n${interfaces.join("\n")}\n}\n` }
}).pipe(Effect.provide(Catalog.layer({ directory: DIRECTORY })), Effect.orDie)
