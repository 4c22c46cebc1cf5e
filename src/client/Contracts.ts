/** Proved contracts and reads of them, each resting on one canonical block. */
import type { ReadQuery, ResolveQuery } from "../protocol/ProtocolSchemas.ts"
import type { Caller } from "./Caller.ts"
import { endpoints } from "./Endpoints.ts"

export type ContractRead = Omit<ReadQuery, "args"> & {
  /** Positional; integers as decimal strings. */
  readonly args: ReadonlyArray<unknown>
}

export const contractMethods = (caller: Caller) => ({
  contracts: {
    /** Which address a catalogued contract has, and what the proof rests on. */
    resolve: (query: ResolveQuery) => caller.call(endpoints.resolveContract, { query: { ...query } }),
    /** Calls a view or pure function; integers come back as decimal strings. */
    read: ({ args, ...query }: ContractRead) =>
      caller.call(endpoints.readContract, { query: { ...query, args: JSON.stringify(args) } })
  }
})
