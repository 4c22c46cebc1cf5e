import { Effect } from "effect"
import { ReadContract } from "../../protocol/ReadContract.ts"
import { ResolveContract } from "../../protocol/ResolveContract.ts"
import { ContractsGroup } from "../api/Contracts.ts"
import { handling, reply } from "../Handlers.ts"

export const contractsHandlers = handling(ContractsGroup, {
  resolveContract: ({ query }) =>
    Effect.flatMap(ResolveContract, contracts => Effect.map(contracts.resolve(query), reply)),
  readContract: ({ query }) =>
    Effect.flatMap(ReadContract, contracts => Effect.map(contracts.read(query), reply))
})
