/** What the registered operations do; each has its line in Register.ts too. */
import type { Operation } from "./framework/Operation.ts"
import type { RegisteredId } from "./Register.ts"

export const runs = {} as const satisfies { readonly [Id in RegisteredId]: Operation<unknown> }
