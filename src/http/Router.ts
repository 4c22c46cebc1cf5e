/** Finds the route of a path exactly: case, slashes and methods as declared. */
import { Either } from "effect"
import type { Route } from "./Route.ts"
import { EndpointNotFound, MethodNotAllowed } from "./refusals.ts"

export interface Match<P, S> {
  readonly route: Route<P, S>
  readonly path: Readonly<Record<string, string>>
}

type Methods<P, S> = Map<string, Route<P, S>>

interface Node<P, S> {
  readonly literals: Map<string, Node<P, S>>
  parameter: { readonly name: string; readonly node: Node<P, S> } | undefined
  readonly methods: Methods<P, S>
}

const node = <P, S>(): Node<P, S> => ({ literals: new Map(), parameter: undefined, methods: new Map() })

const child = <P, S>(parent: Node<P, S>, segment: string): Node<P, S> => {
  if (segment.startsWith(":")) {
    parent.parameter ??= { name: segment.slice(1), node: node() }
    return parent.parameter.node
  }
  const known = parent.literals.get(segment) ?? node<P, S>()
  parent.literals.set(segment, known)
  return known
}

const answersHead = <P, S>(route: Route<P, S>) => route.method === "GET" && route.access.kind === "public"

const place = <P, S>(root: Node<P, S>, route: Route<P, S>) => {
  const leaf = route.at.split("/").slice(1).reduce(child, root)
  leaf.methods.set(route.method, route)
  if (answersHead(route)) leaf.methods.set("HEAD", route)
}

type Strings = Readonly<Record<string, string>>

interface Leaf<P, S> {
  readonly methods: Methods<P, S>
  readonly path: Strings
}

/** The literal way goes before the one of a parameter, which is tried where the literal one leads to no route. */
const descend = <P, S>(
  at: Node<P, S>,
  segments: ReadonlyArray<string>,
  depth = 0,
  path: Strings = {}
): Leaf<P, S> | undefined => {
  const segment = segments[depth]
  if (segment === undefined) return at.methods.size === 0 ? undefined : { methods: at.methods, path }
  const literal = at.literals.get(segment)
  const found = literal && descend(literal, segments, depth + 1, path)
  if (found !== undefined || at.parameter === undefined || segment === "") return found
  const { name, node: next } = at.parameter
  return descend(next, segments, depth + 1, { ...path, [name]: segment })
}

export const makeRouter = <P, S>(routes: ReadonlyArray<Route<P, S>>) => {
  const root = node<P, S>()
  for (const route of routes) place(root, route)
  return (method: string, path: string): Either.Either<Match<P, S>, EndpointNotFound | MethodNotAllowed> => {
    const found = descend(root, path.split("/").slice(1))
    if (found === undefined) return Either.left(new EndpointNotFound())
    const route = found.methods.get(method)
    return route === undefined
      ? Either.left(new MethodNotAllowed({ context: { allow: [...found.methods.keys(), "OPTIONS"] } }))
      : Either.right({ route, path: found.path })
  }
}
