/** The environment variables of user operations: who carries and who pays for them, and how much gas they may use. */
import { type Redacted, Schema } from "effect"
import { strict } from "../values/Strict.ts"
import { amountKind, choice, integerKind, type Kind, listKind, redacted, secureUrl } from "./kinds.ts"
import { optionalVariable, variable } from "./Variable.ts"

const gas = amountKind.schema

const gasLimits = {
  what: 'a JSON object of five positive decimal integers, such as {"call":"10000000","verification":"3000000","preVerification":"2000000","paymasterVerification":"1000000","paymasterPostOp":"1000000"}',
  schema: Schema.parseJson(
    strict({
      call: gas,
      verification: gas,
      preVerification: gas,
      paymasterVerification: gas,
      paymasterPostOp: gas
    })
  ),
  secret: false
}

type OperationGas = typeof gasLimits.schema.Type

const jsonObject: Kind<Readonly<Record<string, unknown>>> = {
  what: 'a JSON object, such as {"policyId":"…"}',
  schema: Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  secret: true
}

const secretUrl = redacted(secureUrl)

export const operationSettings = {
  operationGas: variable(
    "SERVICE_OPERATION_GAS",
    gasLimits,
    '{"call":"10000000","verification":"3000000","preVerification":"2000000","paymasterVerification":"1000000","paymasterPostOp":"1000000"}',
    "Highest gas limits of a user operation."
  ),
  operationCap: variable(
    "SERVICE_OPERATION_CAP",
    integerKind(33, 1_000_000),
    "1000",
    "User operations that an account keeps, of which the last 32 are the owner's."
  ),
  sessionCap: variable(
    "SERVICE_SESSION_CAP",
    integerKind(33, 1_000_000),
    "1000",
    "Sessions that an account keeps, of which the last 32 are the owner's."
  ),
  traceBatches: variable(
    "SERVICE_TRACE_BATCHES",
    choice("off", "on"),
    "off",
    "Whether the effects of several calls in one user operation are told apart by debug_traceTransaction."
  )
} as const

/** Variables that carry a chain id at the end of their name. */
export const operationFamilies = {
  bundler: optionalVariable(
    "SERVICE_BUNDLER_<chainId>",
    listKind("https URLs, or http URLs of this machine, separated by commas", secretUrl),
    "that of the embedded local chain, else no user operations",
    "Bundlers of the chain for user operations of ERC-4337 v0.7, in order of preference."
  ),
  paymaster: optionalVariable(
    "SERVICE_PAYMASTER_<chainId>",
    secretUrl,
    "that of the embedded local chain, else wallets pay themselves",
    "Paymaster of the chain that answers by ERC-7677."
  ),
  paymasterContext: optionalVariable(
    "SERVICE_PAYMASTER_CONTEXT_<chainId>",
    redacted(jsonObject),
    "an empty object",
    "What the chain's paymaster is given beside an operation."
  )
} as const

interface BundlerSettings {
  readonly chainId: number
  readonly urls: ReadonlyArray<Redacted.Redacted<string>>
}

interface PaymasterSettings {
  readonly chainId: number
  readonly url: Redacted.Redacted<string>
  readonly context: Redacted.Redacted<Readonly<Record<string, unknown>>>
}

export interface OperationSettings {
  /** At most one each on a chain; none: no user operations there. */
  readonly bundlers: ReadonlyArray<BundlerSettings>
  /** None: the wallet pays. */
  readonly paymasters: ReadonlyArray<PaymasterSettings>
  readonly maximumGas: OperationGas
  readonly recordsPerAccount: number
  readonly traceBatches: boolean
}
