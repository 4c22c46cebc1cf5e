/** Routes of a team: a group of its own under a prefix of its own, with rights, quotas and problems as all have them. */
import { HttpApi, HttpApiGroup, OpenApi } from "@effect/platform"
import { withPaths } from "./api/Declare.ts"
import type {
  AnyHandler,
  DeclaredEndpoint,
  HandlersOf,
  NameOf,
  NeedsOfGroup,
  Undeclared
} from "./Handlers.ts"
import { type Route, routesOf } from "./Route.ts"

/** What all prefixes of teams begin with. */
export const TEAMS = "/api/v1/x/"

interface Told {
  /** `/api/v1/x/<team>`; the endpoints' paths are told without it. */
  readonly prefix: `/${string}`
  /** Its heading in the description and the docs. */
  readonly name: string
  readonly description: string
}

interface Group<Each extends DeclaredEndpoint, Given> extends Told {
  readonly endpoints: ReadonlyArray<Each>
  readonly handlers: Given & Undeclared<Given, NameOf<Each>>
}

interface AnyGroup extends Told {
  readonly endpoints: ReadonlyArray<DeclaredEndpoint>
  readonly handlers: Readonly<Record<string, AnyHandler>>
}

/** What public and what signed routes need, apart. */
export interface TeamRoutes<P, S> extends Told {
  readonly group: HttpApiGroup.HttpApiGroup.Any
  readonly routes: ReadonlyArray<Route<P, S>>
}

/** Each endpoint has its handler, which answers and refuses as the endpoint declares. */
export function defineRoutes<Each extends DeclaredEndpoint, Given extends HandlersOf<Each>>(
  given: Group<Each, Given>
): TeamRoutes<NeedsOfGroup<Each, Given, true>, NeedsOfGroup<Each, Given, false>>
export function defineRoutes({
  prefix,
  name,
  description,
  endpoints,
  handlers
}: AnyGroup): TeamRoutes<unknown, unknown> {
  const group = withPaths(HttpApiGroup.make(name), endpoints)
    .prefix(prefix)
    .annotate(OpenApi.Description, description)
  const routes = routesOf(HttpApi.make(name).add(group), (_, endpoint) => handlers[endpoint])
  return { prefix, name, description, group, routes }
}
