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

const PROXY_FACTORY = "@safe-global/safe-contracts:contracts/proxies/SafeProxyFactory.sol:SafeProxyFactory"

const Contracts = Schema.parseJson(
  Schema.Array(
    strict({
      id: Schema.Literal(PREPAID_PAYMENTS, PROXY_FACTORY),
      version: Schema.NonEmptyString,
      abi: Abi
    })
  )
)

/** `factories`: of the wallets' manifests. */
export const executionContracts = (
  file: string,
  payments: ReadonlyArray<PaymentContract>,
  factories: ReadonlyArray<PaymentContract> = []
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
          deployments: contract.id === PREPAID_PAYMENTS ? payments : factories
        }))
    })
  )
