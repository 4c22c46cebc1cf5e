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

const descend = <P, S>(root: Node<P, S>, path: string) => {
  const parameters: Record<string, string> = {}
  let at = root
  for (const segment of path.split("/").slice(1)) {
    const literal = at.literals.get(segment)
    if (literal !== undefined) at = literal
    else if (at.parameter !== undefined && segment !== "") {
      parameters[at.parameter.name] = segment
      at = at.parameter.node
    } else return undefined
  }
  return { methods: at.methods, parameters }
}

export const makeRouter = <P, S>(routes: ReadonlyArray<Route<P, S>>) => {
  const root = node<P, S>()
  for (const route of routes) place(root, route)
  return (method: string, path: string): Either.Either<Match<P, S>, EndpointNotFound | MethodNotAllowed> => {
    const found = descend(root, path)
    if (found === undefined || found.methods.size === 0) return Either.left(new EndpointNotFound())
    const route = found.methods.get(method)
    return route === undefined
      ? Either.left(new MethodNotAllowed({ context: { allow: [...found.methods.keys(), "OPTIONS"] } }))
      : Either.right({ route, path: found.parameters })
  }
}
