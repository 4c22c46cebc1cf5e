/** One document for each contract that can be read or planned against: where it stands and what it offers. */
import { Effect } from "effect"
import {
  type Abi,
  type AbiParameter,
  canonicalSignature,
  functionsOf,
  isRead
} from "../../src/catalog/Abi.ts"
import { Catalog } from "../../src/catalog/Catalog.ts"
import type { ContractDetail } from "../../src/catalog/CatalogSchemas.ts"
import type { ReferenceDocument } from "../../src/references/Reference.ts"
import { documentOf, readOwn } from "./Source.ts"

const EXECUTABLE = { offset: 0, limit: Number.MAX_SAFE_INTEGER, deployedOnly: false, executableOnly: true }

const executables = Effect.gen(function* () {
  const catalog = yield* Catalog
  const { items } = yield* catalog.contracts(EXECUTABLE)
  return yield* Effect.forEach(items, ({ id }) => catalog.contract(id))
}).pipe(Effect.provide(Catalog.layer({ directory: "schema/protocol" })))

const typed = ({ type, name, components, indexed }: AbiParameter): string => {
  const inner = components === undefined ? type : `${type}{${components.map(typed).join(", ")}}`
  return [inner, ...(indexed ? ["indexed"] : []), ...(name === "" ? [] : [name])].join(" ")
}

const list = (parameters: ReadonlyArray<AbiParameter> = []): string => parameters.map(typed).join(", ")

const functionLines = (abi: Abi, reads: boolean): ReadonlyArray<string> =>
  functionsOf(abi)
    .filter(entry => isRead(entry) === reads)
    .map(entry => {
      const payable = entry.stateMutability === "payable" ? " payable" : ""
      const given = entry.outputs.length === 0 ? "" : ` gives (${list(entry.outputs)})`
      return `- ${canonicalSignature(entry)}${payable}: takes (${list(entry.inputs)})${given}`
    })
    .sort()

const otherLines = (abi: Abi, type: "event" | "error"): ReadonlyArray<string> =>
  abi
    .filter(entry => entry.type === type)
    .map(entry => `- ${entry.name ?? ""}(${list(entry.inputs)})`)
    .sort()

const part = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines]

const placeLines = ({ deployments }: ContractDetail): ReadonlyArray<string> =>
  deployments.flatMap(({ chainId, instances }) =>
    instances.map(
      ({ address, generation, retired }) =>
        `- chain ${chainId}: ${address} (${generation}${retired ? ", retired" : ""})`
    )
  )

const textOf = (contract: ContractDetail): string => {
  const abi = contract.abi ?? []
  return [
    `# ${contract.name}`,
    "",
    `Catalog id ${contract.id}; package version ${contract.packageVersion ?? "not known"}; ABI ${contract.abiHash}.`,
    ...part("Deployments", placeLines(contract)),
    ...part("Reads", functionLines(abi, true)),
    ...part("Writes", functionLines(abi, false)),
    ...part("Events", otherLines(abi, "event")),
    ...part("Errors", otherLines(abi, "error")),
    ""
  ].join("\n")
}

export const contractDocuments = async (): Promise<ReadonlyArray<ReferenceDocument>> => {
  const file = await readOwn("schema/protocol/manifest.json")
  const contracts = await Effect.runPromise(executables)
  const isNamedTwice = (name: string) => contracts.filter(contract => contract.name === name).length > 1
  return contracts.map(contract => {
    const { id, name, packageId } = contract
    const unique = isNamedTwice(name) ? `${packageId}/${name}` : name
    return documentOf("contracts", unique.slice(0, 150), `${name} (${id})`, textOf(contract), file)
  })
}
