import { HttpApiGroup } from "@effect/platform"
import { ReadQuery, ReadResult, Resolution, ResolveQuery } from "../../protocol/ProtocolSchemas.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"

const resolving = [
  "UNSUPPORTED_CHAIN",
  "CONTRACT_NOT_FOUND",
  "CONTRACT_NOT_EXECUTABLE",
  "DEPLOYMENT_MISSING",
  "DEPLOYMENT_AMBIGUOUS",
  "DEPLOYMENT_CODE_MISSING",
  "TARGET_UNVERIFIED",
  "PROVENANCE_UNVERIFIED",
  "PROJECT_COMPONENT_MISSING",
  "PROJECT_ASSOCIATION_MISMATCH",
  "ASSOCIATION_UNSUPPORTED",
  "BLOCK_UNAVAILABLE"
] as const

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
  problems: resolving
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
  problems: [
    ...resolving,
    "FUNCTION_SIGNATURE_UNKNOWN",
    "FUNCTION_MUTABILITY_MISMATCH",
    "ABI_ARGUMENT_INVALID",
    "CALL_REVERTED"
  ]
})

export const ContractsGroup = HttpApiGroup.make("Contracts")
  .add(resolveContract.endpoint)
  .add(readContract.endpoint)
