import { Effect, Option } from "effect"
import { Catalog } from "../../catalog/Catalog.ts"
import { LATER_COMMIT } from "../../catalog/LaterRollout.ts"
import { ContractNotFound } from "../../catalog/refusals.ts"
import { PinnedContracts } from "../../protocol/PinnedContracts.ts"
import { CONTRACT_NAMES } from "./ContractNames.ts"
import { laterInterface } from "./LaterContracts.ts"

/** A contract of a name that the operations know: the pinned one, or what is known of one that came later. */
export const namedContract = Effect.fnUntraced(function* (name: string) {
  const { names } = yield* PinnedContracts
  const notFound = new ContractNotFound({ context: { name, names: [...CONTRACT_NAMES] } })
  if (!CONTRACT_NAMES.has(name)) return yield* notFound
  const id = names.idOf(name)
  if (Option.isSome(id)) {
    const { abi } = yield* Effect.flatMap(Catalog, catalog => catalog.contract(id.value))
    return { source: id.value, abi: abi ?? [], isPinned: true }
  }
  const abi = laterInterface(name)
  return abi === undefined
    ? yield* notFound
    : { source: `deploy-all-v6@${LATER_COMMIT}:${name}`, abi, isPinned: false }
})
