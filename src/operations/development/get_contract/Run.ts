import { Effect } from "effect"
import type { Abi } from "../../../catalog/Abi.ts"
import { Catalog } from "../../../catalog/Catalog.ts"
import { LATER_COMMIT, laterDeployment } from "../../../catalog/LaterRollout.ts"
import { UnsupportedChain } from "../../../chain/refusals.ts"
import { PinnedContracts } from "../../../protocol/PinnedContracts.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { namedContract } from "../NamedContract.ts"
import { FunctionNotFound } from "../refusals.ts"
import { getContract } from "./Declaration.ts"

const only = (abi: Abi, name: string | undefined) => {
  if (name === undefined) return Effect.succeed(abi)
  const entries = abi.filter(entry => entry.type === "function" && entry.name === name)
  return entries.length === 0
    ? Effect.fail(new FunctionNotFound({ context: { functionName: name } }))
    : Effect.succeed(entries)
}

const laterPlace = (name: string, chainId: number) => {
  const later = laterDeployment(chainId, name)
  if (later === undefined) return {}
  return { laterRollout: { address: later.address, version: later.version, commit: LATER_COMMIT } }
}

const placesOf = Effect.fnUntraced(function* (name: string, chainId: number, isPinned: boolean) {
  const catalog = yield* Catalog
  const { names } = yield* PinnedContracts
  if (!catalog.chains.includes(chainId)) return yield* new UnsupportedChain({ context: { chainId } })
  const later = laterPlace(name, chainId)
  if (!isPinned) return { chainId, address: later.laterRollout?.address ?? null, ...later }
  const canonical = names.canonicalOf(chainId, name)
  const generations = names
    .deploymentsOf(chainId, name)
    .filter(({ clone }) => !clone)
    .map(({ address, generation, retired }) => ({ address, generation, retired }))
  return {
    chainId,
    generations,
    address: canonical?.address ?? null,
    ...later,
    ...(canonical === undefined ? {} : { deploymentSource: canonical.source })
  }
})

export const runGetContract = defineOperation(
  getContract,
  Effect.fn("Operations.getContract")(function* ({ name, chainId, functionName }) {
    const { source, abi, isPinned } = yield* namedContract(name)
    const places = chainId === undefined ? { address: null } : yield* placesOf(name, chainId, isPinned)
    return { version: 6 as const, name, source, ...places, abi: yield* only(abi, functionName) }
  })
)
