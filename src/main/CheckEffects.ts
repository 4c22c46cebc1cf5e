/** Refuses effects of a team that no receipt would be judged by, with a line for each fault: the catalog has not what they are of. */
import { Effect, Option } from "effect"
import { Catalog, type CatalogShape } from "../catalog/Catalog.ts"
import { laterDeployment } from "../catalog/LaterRollout.ts"
import { type PlanEffects, predicatesOf } from "../effects/PlanEffects.ts"
import type { Predicate } from "../effects/Predicate.ts"
import { type AnyOperation, isPlanOperation } from "../operations/framework/Installed.ts"
import { idsByName } from "../protocol/ContractNames.ts"
import { StartFailure } from "../settings/StartFailure.ts"

type Faults = ReadonlyArray<string>

const ANY_CHAIN = 1

const isKnown = (catalog: CatalogShape, contractId: string) =>
  Effect.map(Effect.option(catalog.declaration(contractId)), Option.isSome)

const faultsOfPredicate = Effect.fnUntraced(function* (
  catalog: CatalogShape,
  { name, contractId, kin, witnesses }: Predicate
) {
  const published = witnesses.filter(id => laterDeployment(ANY_CHAIN, id) === undefined)
  const unknown = yield* Effect.filter([contractId, ...kin, ...published], id =>
    Effect.map(isKnown(catalog, id), known => !known)
  )
  return unknown.map(id => `The predicate ${name} names the contract ${id}, which the catalog does not have.`)
})

/** The function of each call, of whichever of its interfaces. */
const faultsOfCall = Effect.fnUntraced(function* (
  catalog: CatalogShape,
  ids: ReadonlyMap<string, string>,
  [call, effect]: readonly [string, PlanEffects[string]]
) {
  const [contract = "", ...rest] = call.split(".")
  const signature = rest.join(".")
  const contractId = ids.get(contract)
  const planned = `The effects name the call ${call}`
  if (contractId === undefined) return [`${planned}, and the catalog has no contract named ${contract}.`]
  const { variants } = yield* Effect.orDie(catalog.contract(contractId))
  const method = variants.flatMap(({ methods }) => methods).find(each => each.signature === signature)
  if (method === undefined) return [`${planned}, and ${contract} has no function of this signature.`]
  if (method.kind === "read") return [`${planned}, which changes nothing.`]
  const [predicate] = predicatesOf({ [call]: effect })
  if (predicate === undefined) return []
  if (![predicate.contractId, ...predicate.kin].includes(contractId))
    return [`${planned}, which is of ${contractId}, and its predicate is of ${predicate.contractId}.`]
  return predicate.signature === signature
    ? []
    : [`${planned}, and its predicate is of the function ${predicate.signature}.`]
})

const faultsOfEffects = Effect.fnUntraced(function* (
  catalog: CatalogShape,
  ids: ReadonlyMap<string, string>,
  id: string,
  effects: PlanEffects
) {
  const ofCalls = yield* Effect.forEach(Object.entries(effects), entry => faultsOfCall(catalog, ids, entry))
  const ofPredicates = yield* Effect.forEach(predicatesOf(effects), each => faultsOfPredicate(catalog, each))
  return [...ofCalls, ...ofPredicates].flat().map(fault => `The operation ${id} is refused. ${fault}`)
})

export const checkEffects = Effect.fnUntraced(function* (operations: ReadonlyArray<AnyOperation<unknown>>) {
  const catalog = yield* Catalog
  const ids = yield* idsByName(catalog)
  const faults: ReadonlyArray<Faults> = yield* Effect.forEach(
    operations.filter(isPlanOperation),
    ({ id, effects }) => faultsOfEffects(catalog, ids, id, effects)
  )
  const all = [...new Set(faults.flat())]
  if (all.length > 0) return yield* new StartFailure({ message: all.join("\n") })
})
