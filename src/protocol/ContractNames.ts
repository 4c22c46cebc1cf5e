/** Contracts of the catalog by their bare names, and the interface that an address of theirs has. */
import { Effect, Option } from "effect"
import { type Abi, type AbiFunction, canonicalSignature, functionsOf } from "../catalog/Abi.ts"
import type { CatalogShape } from "../catalog/Catalog.ts"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { type Address, ZERO_ADDRESS } from "../values/Scalars.ts"

const EVERYTHING = { offset: 0, limit: Number.MAX_SAFE_INTEGER, deployedOnly: false, executableOnly: false }

/** What a chain has is meant before what is only declared. */
export const idsByName = Effect.fnUntraced(function* (catalog: CatalogShape) {
  const { items } = yield* Effect.orDie(catalog.contracts(EVERYTHING))
  const published = (chains: (typeof items)[number]["chains"]) =>
    chains.some(({ status }) => status === "published")
  const byPreference = [...items].sort(
    (a, b) =>
      Number(published(b.chains)) - Number(published(a.chains)) || Number(b.executable) - Number(a.executable)
  )
  const ids = new Map<string, string>()
  for (const { id, name } of byPreference) if (!ids.has(name)) ids.set(name, id)
  return ids
})

/** By bare name, undefined where several go by it, and by full canonical signature: one that a merged ABI has again is the same. */
const functionsByName = (abi: Abi): ReadonlyMap<string, AbiFunction | undefined> => {
  const found = new Map<string, AbiFunction | undefined>()
  for (const entry of functionsOf(abi)) {
    const signature = canonicalSignature(entry)
    if (found.has(signature)) continue
    found.set(signature, entry)
    found.set(entry.name, found.has(entry.name) ? undefined : entry)
  }
  return found
}

/** Made once for as long as an ABI is kept: every read and every planned call asks. */
const known = new WeakMap<Abi, ReadonlyMap<string, AbiFunction | undefined>>()

const functionIn = (abi: Abi, wanted: string): AbiFunction | undefined => {
  const functions = known.get(abi) ?? functionsByName(abi)
  known.set(abi, functions)
  return functions.get(wanted)
}

/** No chain has this id, so that the interface is the catalog's own. */
const ANY_CHAIN = 0

/** Contracts whose reverts pass through those that call them. */
const CALLED = [
  "JBMultiTerminal",
  "JBTerminalStore",
  "JBController",
  "JBDirectory",
  "JBRulesets",
  "JBPrices",
  "JBTokens",
  "JBSplits",
  "JBFundAccessLimits",
  "JBPermissions",
  "JBProjects",
  "JBERC20",
  "JB721TiersHook",
  "JB721TiersHookLib",
  "JB721TiersHookStore",
  "JBBuybackHook",
  "JBRouterTerminal",
  "JBSuckerRegistry",
  "REVOwner"
]

/** What a function of a contract is called by, as plans keep it. */
export interface Interface {
  readonly contractId: string
  readonly abiHash: string
  readonly abi: Abi
  readonly entry: AbiFunction
}

export interface ContractNames {
  /** The errors of contracts that others call. */
  readonly passedErrors: Abi
  readonly idOf: (contract: string) => Option.Option<string>
  /** Every recorded deployment on a chain: current before retired, newest first. */
  readonly deploymentsOf: (chainId: number, contract: string) => ReadonlyArray<Deployment>
  /** The one that is current and not a project's own clone. */
  readonly canonicalOf: (chainId: number, contract: string) => Deployment | undefined
  /** By bare name where it is not overloaded, else by full canonical signature. */
  readonly functionOf: (
    chainId: number,
    contract: string,
    address: Address,
    name: string
  ) => readonly [Abi, AbiFunction]
  /** As `functionOf`, with what the catalog knows the interface by. */
  readonly interfaceOf: (chainId: number, contract: string, address: Address, name: string) => Interface
}

export const contractNames = Effect.fnUntraced(function* (catalog: CatalogShape) {
  const ids = yield* idsByName(catalog)
  /** A name of our own that the catalog has not is our own mistake. */
  const knownId = (contract: string) => {
    const id = ids.get(contract)
    if (id === undefined) throw new Error(`the catalog has no contract named ${contract}`)
    return id
  }
  const deploymentsOf = (chainId: number, contract: string) => catalog.deployments(chainId, knownId(contract))

  const hashesOf = (chainId: number, contract: string, address: Address): ReadonlyArray<string> => {
    const contractId = knownId(contract)
    const there = Option.getOrUndefined(catalog.deploymentAt(chainId, address))
    const { abiHash } = Effect.runSync(Effect.orDie(catalog.declaration(contractId)))
    const hashes = [
      ...(there?.contractId === contractId ? [there.abiHash] : []),
      ...deploymentsOf(chainId, contract).map(row => row.abiHash),
      ...(abiHash === null ? [] : [abiHash])
    ]
    return [...new Set(hashes)]
  }

  const abiOf = (hash: string): Abi => Effect.runSync(Effect.orDie(catalog.abi(hash)))

  const errorsOf = (contract: string): Abi =>
    hashesOf(ANY_CHAIN, contract, ZERO_ADDRESS).flatMap(hash =>
      abiOf(hash).filter(({ type }) => type === "error")
    )

  const interfaceOf: ContractNames["interfaceOf"] = (chainId, contract, address, name) => {
    for (const abiHash of hashesOf(chainId, contract, address)) {
      const abi = abiOf(abiHash)
      const entry = functionIn(abi, name)
      if (entry !== undefined) return { contractId: knownId(contract), abiHash, abi, entry }
    }
    throw new Error(`${contract} has no function ${name}, or several of this name`)
  }

  const names: ContractNames = {
    passedErrors: CALLED.flatMap(errorsOf),
    idOf: contract => Option.fromNullable(ids.get(contract)),
    deploymentsOf,
    canonicalOf: (chainId, contract) =>
      deploymentsOf(chainId, contract).find(({ retired, clone }) => !retired && !clone),
    functionOf: (chainId, contract, address, name) => {
      const { abi, entry } = interfaceOf(chainId, contract, address, name)
      return [abi, entry]
    },
    interfaceOf
  }
  return names
})
