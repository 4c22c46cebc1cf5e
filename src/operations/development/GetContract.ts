import { Effect, Option } from "effect"
import type { Abi } from "../../catalog/Abi.ts"
import { Catalog } from "../../catalog/Catalog.ts"
import { ContractNotFound } from "../../catalog/refusals.ts"
import { UnsupportedChain } from "../../chain/refusals.ts"
import { PinnedContracts } from "../../protocol/PinnedContracts.ts"
import { defineOperation } from "../framework/Operation.ts"
import { CONTRACT_NAMES } from "./ContractNames.ts"
import { getContract } from "./Declarations.ts"
import { FunctionNotFound } from "./refusals.ts"

/** The pinned contract of a name that the operations know. */
export const pinnedContract = Effect.fnUntraced(function* (name: string) {
  const { names } = yield* PinnedContracts
  const id = CONTRACT_NAMES.has(name) ? names.idOf(name) : Option.none()
  const notFound = () => new ContractNotFound({ context: { name, names: [...CONTRACT_NAMES] } })
  return yield* Effect.mapError(id, notFound)
})

const only = (abi: Abi, name: string | undefined) => {
  if (name === undefined) return Effect.succeed(abi)
  const entries = abi.filter(entry => entry.type === "function" && entry.name === name)
  return entries.length === 0
    ? Effect.fail(new FunctionNotFound({ context: { functionName: name } }))
    : Effect.succeed(entries)
}

const placesOf = Effect.fnUntraced(function* (name: string, chainId: number) {
  const catalog = yield* Catalog
  const { names } = yield* PinnedContracts
  if (!catalog.chains.includes(chainId)) return yield* new UnsupportedChain({ context: { chainId } })
  const canonical = names.canonicalOf(chainId, name)
  const generations = names
    .deploymentsOf(chainId, name)
    .filter(({ clone }) => !clone)
    .map(({ address, generation, retired }) => ({ address, generation, retired }))
  return {
    chainId,
    generations,
    address: canonical?.address ?? null,
    ...(canonical === undefined ? {} : { deploymentSource: canonical.source })
  }
})

export const runGetContract = defineOperation(
  getContract,
  Effect.fn("Operations.getContract")(function* ({ name, chainId, functionName }) {
    const id = yield* pinnedContract(name)
    const detail = yield* Effect.flatMap(Catalog, catalog => catalog.contract(id))
    const places = chainId === undefined ? { address: null } : yield* placesOf(name, chainId)
    const abi = yield* only(detail.abi ?? [], functionName)
    return { version: 6 as const, name, source: id, ...places, abi }
  })
)
