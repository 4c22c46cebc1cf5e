import { Effect } from "effect"
import { ReadContract } from "../../protocol/ReadContract.ts"
import { ResolveContract } from "../../protocol/ResolveContract.ts"
import * as Contracts from "../api/Contracts.ts"
import { onSigned, reply } from "../Route.ts"

export const contractRoutes = [
  onSigned(Contracts.resolveContract, ({ query }) =>
    Effect.flatMap(ResolveContract, contracts => Effect.map(contracts.resolve(query), reply))
  ),
  onSigned(Contracts.readContract, ({ query }) =>
    Effect.flatMap(ReadContract, contracts => Effect.map(contracts.read(query), reply))
  )
]
