import { HttpApiGroup } from "@effect/platform"
import { ReadQuery, ReadResult, Resolution, ResolveQuery } from "../../protocol/ProtocolSchemas.ts"
import { signed } from "./Access.ts"
import { CALL_PROBLEMS, JSON_PROBLEMS, RESOLVING_PROBLEMS } from "./CommonProblems.ts"
import { declare } from "./Declare.ts"

export const resolveContract = declare({
  name: "resolveContract",
  method: "GET",
  at: "/api/v1/protocol/resolve",
  access: signed({}),
  summary: "Resolve a contract on a chain",
  description:
    "Proves at one canonical block which address a catalogued contract has, and says what the proof rests on.",
  query: ResolveQuery,
  success: Resolution,
  problems: RESOLVING_PROBLEMS
})

export const readContract = declare({
  name: "readContract",
  method: "GET",
  at: "/api/v1/protocol/read",
  access: signed({}),
  summary: "Read a contract",
  description:
    "Calls a view or pure function of a proved contract; the proof and the call rest on the same block.",
  query: ReadQuery,
  success: ReadResult,
  problems: [...JSON_PROBLEMS, ...RESOLVING_PROBLEMS, ...CALL_PROBLEMS, "CALL_REVERTED"]
})

export const ContractsGroup = HttpApiGroup.make("Contracts").add(resolveContract).add(readContract)
