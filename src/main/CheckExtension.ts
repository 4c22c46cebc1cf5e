/** Refuses what a team adds where it would stand in for something that is there, with a line for each fault. */
import { Effect, Either, Schema } from "effect"
import { verifierOf } from "../effects/Verify.ts"
import { Api } from "../http/api/Api.ts"
import { CONTRACT_CALLS } from "../http/api/Transactions.ts"
import { placesOf } from "../http/Places.ts"
import { TEAMS, type TeamRoutes } from "../http/TeamRoutes.ts"
import { type Declaration, isPlan, ownDeclarations } from "../operations/framework/Declarations.ts"
import type { AnyOperation } from "../operations/framework/Installed.ts"
import { ownOperations } from "../operations/framework/OwnOperations.ts"
import type { AnyDeclaredPlan } from "../operations/framework/PlanOperation.ts"
import { PlanBasis } from "../operations/framework/PlanSummary.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { allPredicates } from "./AllPredicates.ts"

const ID = /^[a-z][a-z0-9_]{2,63}$/
const TEAM = /^\/api\/v1\/x\/[a-z][a-z0-9-]{1,31}$/
const GROUP = /^[A-Z][A-Za-z0-9]{1,31}$/

/** What is said of each name that is known already, or comes twice. */
const repeated = (
  known: Iterable<string>,
  given: ReadonlyArray<string>,
  say: (name: string) => string
): ReadonlyArray<string> => {
  const taken = new Set(known)
  return given.flatMap(name => {
    if (taken.has(name)) return [say(name)]
    taken.add(name)
    return []
  })
}

const plansOf = (declared: ReadonlyArray<Declaration>) => declared.filter(isPlan).map(({ plan }) => plan)

const EVERY_PLANS = new Set(Object.keys(PlanBasis.fields))

const membersOf = ({ summary }: AnyDeclaredPlan): ReadonlyArray<string> => {
  const { ast } = Schema.encodedSchema(summary)
  return ast._tag === "TypeLiteral" ? ast.propertySignatures.map(({ name }) => String(name)) : []
}

/** Every plan's own members would take their place. */
const faultsOfSummary = (declared: AnyDeclaredPlan): ReadonlyArray<string> =>
  membersOf(declared)
    .filter(name => EVERY_PLANS.has(name))
    .map(
      name =>
        `The summary of the operation ${declared.id} has a member ${name}, which every plan has; give yours another name.`
    )

const faultsOfOperations = (declared: ReadonlyArray<Declaration>): ReadonlyArray<string> => [
  ...declared
    .filter(({ id }) => !ID.test(id))
    .map(({ id }) => `The operation ${id} needs an id of 3 to 64 of a-z, 0-9 and _, from a letter on.`),
  ...repeated(
    ownDeclarations.map(({ id }) => id),
    declared.map(({ id }) => id),
    id => `The operation ${id} is there already; give yours another id.`
  ),
  ...repeated(
    [...plansOf(ownDeclarations), CONTRACT_CALLS],
    plansOf(declared),
    plan => `Plans named ${plan} are there already; give those of your operation another name.`
  ),
  ...declared.filter(isPlan).flatMap(faultsOfSummary)
]

const faultsOfPredicates = (operations: ReadonlyArray<AnyOperation<unknown>>): ReadonlyArray<string> =>
  Either.match(verifierOf(allPredicates([...ownOperations, ...operations])), {
    onLeft: ({ message }) => [message],
    onRight: () => []
  })

type Routes = ReadonlyArray<TeamRoutes<unknown, unknown>>

/** By whatever name, a parameter takes the same paths. */
const shapeOf = (at: string): string => at.replace(/:[^/]+/g, ":")

interface Placed {
  readonly method: string
  readonly at: string
}

/** Of two routes whose paths are the same but for the names of their parameters. */
const faultsBeside = (before: Placed, { method, at }: Placed): ReadonlyArray<string> => {
  if (before.method === method) return [`The route ${method} ${at} is declared twice.`]
  return before.at === at
    ? []
    : [`The route ${method} ${at} has the path of ${before.at}; name its parameters alike.`]
}

const faultsOfPlaces = (teams: Routes): ReadonlyArray<string> => {
  const own = teams.length === 0 ? [] : placesOf(Api)
  const added = teams.flatMap(({ routes }) => routes)
  return [
    ...repeated(
      own.map(({ name }) => name),
      added.map(({ name }) => name),
      name => `An endpoint named ${name} is there already; give yours another name.`
    ),
    ...added.flatMap((route, index) =>
      added
        .slice(0, index)
        .filter(({ at }) => shapeOf(at) === shapeOf(route.at))
        .flatMap(before => faultsBeside(before, route))
    )
  ]
}

const faultsOfRoutes = (teams: Routes): ReadonlyArray<string> => [
  ...teams
    .filter(({ prefix }) => !TEAM.test(prefix))
    .map(({ prefix }) => `The routes under ${prefix} need a prefix of their own: ${TEAMS}<team>.`),
  ...repeated(
    [],
    teams.map(({ prefix }) => prefix),
    prefix => `The prefix ${prefix} is taken already.`
  ),
  ...teams
    .filter(({ name }) => !GROUP.test(name))
    .map(({ name }) => `The group of routes ${name} needs a name such as Tips.`),
  ...repeated(
    Object.keys(Api.groups),
    teams.map(({ name }) => name),
    name => `A group of routes named ${name} is there already; give yours another name.`
  ),
  ...faultsOfPlaces(teams)
]

export const checkExtension = (operations: ReadonlyArray<AnyOperation<unknown>>, teams: Routes) => {
  const faults = [
    ...faultsOfOperations(operations.map(({ declaration }) => declaration)),
    ...faultsOfPredicates(operations),
    ...faultsOfRoutes(teams)
  ]
  return faults.length === 0 ? Effect.void : Effect.fail(new StartFailure({ message: faults.join("\n") }))
}
