import type { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { NEUTRAL_AUDIENCE } from "../../scripts/schema/Neutral.ts"
import type { submitBundle } from "../../src/direct/SubmitBundle.ts"
import type { submitStep } from "../../src/direct/SubmitStep.ts"
import type { simulateStep } from "../../src/dispatch/SimulateStep.ts"
import { describeApi } from "../../src/http/OpenApiDocument.ts"
import type { publishIntent } from "../../src/intents/PublishIntent.ts"
import type { recordDeployment } from "../../src/intents/RecordDeployment.ts"
import type { prepareContractCalls } from "../../src/operations/plans/ContractCalls.ts"
import type { showOmnichain } from "../../src/projects/OmnichainView.ts"
import type { showProject } from "../../src/projects/ShowProject.ts"
import type { ReadContract } from "../../src/protocol/ReadContract.ts"
import type { ResolveContract } from "../../src/protocol/ResolveContract.ts"
import { isProblemCode, type ProblemCode, ProblemRegister } from "../../src/values/ProblemRegister.ts"

type Failure<Use> = Use extends (...given: never) => Effect.Effect<unknown, infer E, unknown> ? E : never
type CodeOf<E> = E extends { readonly _tag: infer Code extends ProblemCode } ? Code : never

/** Every refusal that the compiler sees in a use case; leaving one out does not type-check. */
type Refusals<Use> = Readonly<Record<CodeOf<Failure<Use>>, 1>>

const CHAIN = {
  RPC_BEHIND: 1,
  RPC_BUDGET: 1,
  RPC_CHAIN_MISMATCH: 1,
  RPC_INVALID_RESPONSE: 1,
  RPC_TIMEOUT: 1,
  RPC_UNAVAILABLE: 1,
  UNSUPPORTED_CHAIN: 1
} as const

const LOCKED = {
  ACCOUNT_NOT_FOUND: 1,
  DATABASE_UNAVAILABLE: 1,
  FORBIDDEN: 1,
  SERVICE_BUSY: 1,
  STORAGE_LIMIT: 1
} as const

const KEYED = { ...LOCKED, IDEMPOTENCY_CONFLICT: 1, IDEMPOTENCY_REQUIRED: 1 } as const

const ADMITTED = {
  ...KEYED,
  CONCURRENT_UPDATE: 1,
  DEPENDENCIES_UNCONFIRMED: 1,
  NONCE_RESERVED: 1,
  OWNER_APPROVAL_EXPIRED: 1,
  PLAN_EXPIRED: 1,
  PLAN_NOT_FOUND: 1,
  STEP_ALREADY_BOUND: 1,
  TRANSPORT_CONFLICT: 1
} as const

const step: Refusals<typeof submitStep> = {
  ...ADMITTED,
  ...CHAIN,
  ACCESS_LIST_BOUND: 1,
  BROADCAST_PERSISTENCE_UNCERTAIN: 1,
  INSUFFICIENT_BALANCE: 1,
  INVALID_FEE_ENVELOPE: 1,
  INVALID_OWNER_APPROVAL: 1,
  INVALID_OWNER_APPROVAL_SIGNATURE: 1,
  INVALID_SIGNED_TRANSACTION: 1,
  INVALID_TRANSACTION_SIGNATURE: 1,
  NONCE_NOT_READY: 1,
  OWNER_APPROVAL_MISMATCH: 1,
  OWNER_APPROVAL_REQUIRED: 1,
  PLAN_EVIDENCE_REORGED: 1,
  SIGNED_FEE_BELOW_BASE_FEE: 1,
  SIGNED_GAS_TOO_LOW: 1,
  SIGNED_PLAN_MISMATCH: 1,
  SIMULATION_REVERTED: 1,
  STEP_NOT_FOUND: 1,
  STEP_STATE_UNCERTAIN: 1,
  TRANSACTION_COST_BOUND: 1,
  TRANSACTION_FEE_BOUND: 1,
  UNSUPPORTED_TRANSACTION_TYPE: 1,
  VERIFIER_UNAVAILABLE: 1
}

const bundle: Refusals<typeof submitBundle> = { ...ADMITTED, INVALID_BUNDLE: 1 }

const simulation: Refusals<typeof simulateStep> = {
  ...CHAIN,
  BLOCK_UNAVAILABLE: 1,
  CONCURRENT_UPDATE: 1,
  DATABASE_UNAVAILABLE: 1,
  DEPENDENCIES_UNCONFIRMED: 1,
  PLAN_EXPIRED: 1,
  PLAN_NOT_FOUND: 1,
  SIMULATION_REORGED: 1,
  SIMULATION_REVERTED: 1,
  STEP_NOT_FOUND: 1
}

const RESOLVED = {
  ...CHAIN,
  ABI_NOT_FOUND: 1,
  ASSOCIATION_UNSUPPORTED: 1,
  BLOCK_UNAVAILABLE: 1,
  CONTRACT_NOT_EXECUTABLE: 1,
  CONTRACT_NOT_FOUND: 1,
  DEPLOYMENT_AMBIGUOUS: 1,
  DEPLOYMENT_CODE_MISSING: 1,
  DEPLOYMENT_MISSING: 1,
  PROJECT_ASSOCIATION_MISMATCH: 1,
  PROJECT_COMPONENT_MISSING: 1,
  PROJECT_ID_INVALID: 1,
  PROVENANCE_UNVERIFIED: 1,
  RUNTIME_CODE_MISMATCH: 1,
  TARGET_UNVERIFIED: 1
} as const

const resolution: Refusals<typeof ResolveContract.Service.resolve> = RESOLVED

const CALLED = {
  ...RESOLVED,
  ABI_ARGUMENT_INVALID: 1,
  FUNCTION_MUTABILITY_MISMATCH: 1,
  FUNCTION_SIGNATURE_UNKNOWN: 1
} as const

const reading: Refusals<typeof ReadContract.Service.read> = {
  ...CALLED,
  CALL_REVERTED: 1,
  DUPLICATE_JSON_KEY: 1,
  INVALID_JSON: 1,
  INVALID_UTF8: 1,
  JSON_TOO_COMPLEX: 1,
  RESERVED_JSON_KEY: 1,
  UNSAFE_JSON_NUMBER: 1
}

const calls: Refusals<typeof prepareContractCalls> = {
  ...KEYED,
  ...CALLED,
  INVALID_PLAN: 1,
  INVALID_PLAN_CALL: 1
}

/** A view encodes its own arguments, which always fit. */
const viewed: Omit<Refusals<typeof showProject | typeof showOmnichain>, "ABI_ARGUMENT_INVALID"> = {
  ...CHAIN,
  BLOCK_UNAVAILABLE: 1,
  CALL_REVERTED: 1,
  DEPLOYMENT_CODE_MISSING: 1,
  DEPLOYMENT_UNAVAILABLE: 1,
  INDEXER_NETWORK_MISMATCH: 1,
  PROJECT_NOT_FOUND: 1
}

/** What was just stored is found. */
const publication: Omit<Refusals<typeof publishIntent>, "INTENT_NOT_FOUND"> = {
  ...LOCKED,
  CONFIGURATION_TOO_LARGE: 1,
  INVALID_INPUT: 1,
  RATE_LIMITED: 1,
  UPSTREAM_INVALID_RESPONSE: 1
}

const deployment: Refusals<typeof recordDeployment> = {
  ...LOCKED,
  ...CHAIN,
  DEPLOYMENT_UNAVAILABLE: 1,
  DEPLOYMENT_UNCONFIRMED: 1,
  DEPLOYMENT_UNPROVED: 1,
  INTENT_NOT_FOUND: 1,
  INVALID_INPUT: 1,
  TRACE_UNAVAILABLE: 1,
  UNSUPPORTED_VERSION: 1,
  UPSTREAM_INVALID_RESPONSE: 1
}

const meetable: Readonly<Record<string, Readonly<Record<string, 1>>>> = {
  createPlan: calls,
  getOmnichainProject: viewed,
  getProject: viewed,
  publishIntent: publication,
  readContract: reading,
  recordIntentDeployment: deployment,
  resolveContract: resolution,
  simulateStep: simulation,
  submitBundle: bundle,
  submitStep: step
}

const described = describeApi(NEUTRAL_AUDIENCE)
const operations = Object.values(described.paths).flatMap(item => Object.values(item))

const toldOf = (name: string) => {
  const { responses = {} } = operations.find(({ operationId }) => operationId === name) ?? {}
  return new Map(Object.entries(responses).map(([status, { description }]) => [status, description ?? ""]))
}

describe("what can go wrong with an operation", () => {
  for (const [name, codes] of Object.entries(meetable))
    it(`is told of ${name} by status`, () => {
      const told = toldOf(name)
      const untold = Object.keys(codes)
        .filter(isProblemCode)
        .filter(code => !told.get(String(ProblemRegister[code].status))?.split(", ").includes(code))
      assert.deepStrictEqual(untold, [])
    })
})
