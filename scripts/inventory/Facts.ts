/** The first form: a directory of collected facts (packages, contracts, deployments, one file per ABI). */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Schema } from "effect"
import { Abi, canonicalAbiText, sha256 } from "../../src/catalog/Abi.ts"
import { ContractRow, DeploymentRow } from "../../src/catalog/Inventory.ts"
import { Bytes32 } from "../../src/values/Scalars.ts"
import type { Content } from "./Content.ts"

const PackageFact = Schema.Struct({
  id: Schema.String,
  version: Schema.NullOr(Schema.String),
  repository: Schema.NullOr(Schema.String),
  commit: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  category: Schema.Literal("protocol", "deployment", "dependency")
})

const ContractFact = Schema.Struct({ ...ContractRow.fields, archived: Schema.Boolean })

const DeploymentFact = Schema.Struct({
  ...DeploymentRow.fields,
  receipt: Schema.Struct({
    transactionHash: Bytes32,
    blockNumber: Schema.NonNegativeInt,
    timestamp: Schema.NullOr(Schema.NonNegativeInt)
  })
})

const read = async <A, I>(path: string, schema: Schema.Schema<A, I>): Promise<A> =>
  Schema.decodeUnknownSync(Schema.parseJson(schema))(await readFile(path, "utf8"))

/** Facts name an ABI by the hash of its published order; the inventory by the hash of its sorted entries. */
const readAbis = async (directory: string): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>()
  for (const file of await readdir(directory)) {
    const abi = await read(join(directory, file), Abi)
    texts.set(file.replace(/\.json$/, ""), canonicalAbiText(abi))
  }
  return texts
}

const exclusionReason = (fact: typeof ContractFact.Type): string | undefined => {
  if (fact.archived) return "archived-source"
  if (/(?:^|\/)tests?\/|\.t\.sol$/i.test(fact.sourcePath)) return "test-source"
  if (/(?:^|\/)mocks?\//i.test(fact.sourcePath)) return "mock-source"
  return undefined
}

export const factsContent = async (
  directory: string,
  source: { readonly repository: string | null; readonly commit: string | null }
): Promise<Content> => {
  const packages = await read(join(directory, "packages.json"), Schema.Array(PackageFact))
  const facts = await read(join(directory, "contracts.json"), Schema.Array(ContractFact))
  const deployments = await read(join(directory, "deployments.json"), Schema.Array(DeploymentFact))
  const texts = await readAbis(join(directory, "abis"))
  const hashOf = (published: string): string => {
    const text = texts.get(published)
    if (text === undefined) throw new Error(`no ABI file for ${published}`)
    return sha256(text)
  }
  const kept = facts.filter(fact => exclusionReason(fact) === undefined)
  const excluded = new Map(
    facts.flatMap(fact => {
      const reason = exclusionReason(fact)
      return reason === undefined ? [] : [[`${fact.packageId}/${fact.sourcePath}`, reason] as const]
    })
  )
  return {
    ...source,
    chains: [...new Set(deployments.map(row => row.chainId))],
    packages,
    contracts: kept.map(({ archived: _, abiHash, ...row }) => ({
      ...row,
      abiHash: abiHash === null ? null : hashOf(abiHash)
    })),
    deployments: deployments.map(row => ({ ...row, abiHash: hashOf(row.abiHash) })),
    exclusions: [...excluded].map(([path, reason]) => ({ path, reason })),
    abis: new Set(texts.values())
  }
}
