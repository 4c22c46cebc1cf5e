/** An environment variable of the service: its name, what it takes, its default and one sentence on it. */
import type { Kind } from "./kinds.ts"

export interface Variable<A> extends Kind<A> {
  readonly name: string
  /** The default as an operator would write it. */
  readonly standard: string
  readonly help: string
}

export interface OptionalVariable<A> extends Kind<A> {
  readonly name: string
  /** What happens without it. */
  readonly absent: string
  readonly help: string
}

export const variable = <A>(name: string, kind: Kind<A>, standard: string, help: string): Variable<A> => ({
  name,
  standard,
  help,
  ...kind
})

export const optionalVariable = <A>(
  name: string,
  kind: Kind<A>,
  absent: string,
  help: string
): OptionalVariable<A> => ({
  name,
  absent,
  help,
  ...kind
})
