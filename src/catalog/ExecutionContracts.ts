/** Contracts of execution that are of no protocol package: their interfaces are kept here, their places are settings. */
import { readFile } from "node:fs/promises"
import { Effect, Schema } from "effect"
import type { PaymentContract } from "../settings/Settings.ts"
import { strict } from "../values/Strict.ts"
import { Abi } from "./Abi.ts"
import type { AddedContract } from "./AddedContracts.ts"
import { CatalogIntegrity } from "./refusals.ts"

export const PREPAID_PAYMENTS =
  "signed-request-service:sandbox/contracts/PrepaidPayments.sol:PrepaidPayments" as const

export const SESSION_GUARD = "signed-request-service:sandbox/contracts/SessionGuard.sol:SessionGuard" as const

/** Of which each wallet has the functions, and runs them as its own. */
export const WALLET_ADAPTER =
  "@rhinestone/modulekit:src/deployment/precompiles/Safe7579Precompiles.sol:Safe7579" as const

/** Counts the operations of each wallet, and holds what pays for them. */
export const ENTRY_POINT = "@account-abstraction/contracts:contracts/core/EntryPoint.sol:EntryPoint" as const

const PROXY_FACTORY = "@safe-global/safe-contracts:contracts/proxies/SafeProxyFactory.sol:SafeProxyFactory"

const Contracts = Schema.parseJson(
  Schema.Array(
    strict({
      id: Schema.Literal(PREPAID_PAYMENTS, PROXY_FACTORY, SESSION_GUARD, WALLET_ADAPTER, ENTRY_POINT),
      version: Schema.NonEmptyString,
      abi: Abi
    })
  )
)

type Places = ReadonlyArray<PaymentContract>

/** Those of wallets are what their manifests pin. */
export interface ExecutionPlaces {
  readonly payments: Places
  readonly factories?: Places
  readonly guards?: Places
  readonly adapters?: Places
  readonly entryPoints?: Places
}

const placesOf = (places: ExecutionPlaces) => {
  const { payments, factories = [], guards = [], adapters = [], entryPoints = [] } = places
  return {
    [PREPAID_PAYMENTS]: payments,
    [PROXY_FACTORY]: factories,
    [SESSION_GUARD]: guards,
    [WALLET_ADAPTER]: adapters,
    [ENTRY_POINT]: entryPoints
  }
}

export const executionContracts = (
  file: string,
  places: ExecutionPlaces
): Effect.Effect<ReadonlyArray<AddedContract>, CatalogIntegrity> =>
  Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.flatMap(Schema.decode(Contracts)),
    Effect.mapBoth({
      onFailure: () =>
        new CatalogIntegrity({
          detail: `The file ${file} does not have its declared form.`,
          context: { file }
        }),
      onSuccess: contracts =>
        contracts.map(contract => ({
          ...contract,
          deployments: placesOf(places)[contract.id],
          chosenByAddress: true
        }))
    })
  )
