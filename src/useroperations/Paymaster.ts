/** Paymasters of chains, asked by ERC-7677: what they add to an operation that they pay for. */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { quantity } from "../chain/Wire.ts"
import { Settings } from "../settings/Settings.ts"
import type { OperationPlace } from "../values/PackedOperation.ts"
import { Address } from "../values/Scalars.ts"
import { Quantity128, type UserOperation } from "../values/UserOperation.ts"
import { timedExchange } from "./BundlerMetrics.ts"
import { CarrierBytes, CarrierQuantity } from "./CarrierForms.ts"
import { type RpcExchange, type RpcRefusal, rpcExchange } from "./RpcExchange.ts"
import { PaymasterRefused, PaymasterUnavailable } from "./refusals.ts"

const READING_MS = 10_000

const Gas = Schema.transform(CarrierQuantity, Quantity128, {
  strict: true,
  decode: quantity,
  encode: text => BigInt(text)
})
const OptionalGas = Schema.optional(Schema.NullOr(Gas))

const PaymasterAnswer = Schema.Struct({
  paymaster: Address,
  paymasterData: CarrierBytes,
  paymasterVerificationGasLimit: OptionalGas,
  paymasterPostOpGasLimit: OptionalGas,
  isFinal: Schema.optional(Schema.NullOr(Schema.Boolean))
})
export type PaymasterAnswer = typeof PaymasterAnswer.Type

export interface PaidOperation extends OperationPlace {
  readonly operation: UserOperation
}

type Method = "pm_getPaymasterStubData" | "pm_getPaymasterData"

type Ask = (paid: PaidOperation) => Effect.Effect<PaymasterAnswer, PaymasterUnavailable | PaymasterRefused>

const decode = Schema.decodeUnknown(PaymasterAnswer)

/** Of JSON-RPC and of EIP-1474, where nothing is said of the operation: it fails by itself, or is asked too often. */
const OF_ITSELF = [-32_603, -32_005]

const refusedBy = ({ code, reason, revert }: RpcRefusal): PaymasterUnavailable | PaymasterRefused => {
  const about = { context: { rpcCode: code } }
  return (reason ?? revert) === undefined && OF_ITSELF.includes(code)
    ? new PaymasterUnavailable(about)
    : new PaymasterRefused(about)
}

const asking =
  (exchange: RpcExchange, context: Readonly<Record<string, unknown>>, method: Method): Ask =>
  ({ operation, entryPoint, chainId }) => {
    const params = [operation, entryPoint, quantity(BigInt(chainId)), context]
    return exchange({ method, params }, READING_MS).pipe(
      Effect.mapError(() => new PaymasterUnavailable()),
      Effect.flatMap((answer): Effect.Effect<PaymasterAnswer, PaymasterUnavailable | PaymasterRefused> => {
        if (answer._tag === "Refused") return Effect.fail(refusedBy(answer))
        return Effect.mapError(decode(answer.result), () => new PaymasterUnavailable())
      }),
      Effect.withSpan(`Paymaster.${method}`)
    )
  }

export interface PaymasterService {
  /** What stands in while gas is estimated. */
  readonly stub: Ask
  /** What is signed. */
  readonly data: Ask
}

export class Paymaster extends Context.Tag("useroperations/Paymaster")<
  Paymaster,
  {
    /** None where wallets pay by themselves. */
    readonly of: (chainId: number) => PaymasterService | undefined
  }
>() {
  static readonly layer = Layer.scoped(
    Paymaster,
    Effect.gen(function* () {
      const { paymasters } = (yield* Settings).userOperations
      const services = new Map(
        yield* Effect.forEach(paymasters, ({ chainId, url, context }) =>
          Effect.map(rpcExchange(new URL(Redacted.value(url))), untimed => {
            const exchange = timedExchange(chainId, `${chainId}/paymaster`, untimed)
            const ask = (method: Method) => asking(exchange, Redacted.value(context), method)
            return [
              chainId,
              { stub: ask("pm_getPaymasterStubData"), data: ask("pm_getPaymasterData") }
            ] as const
          })
        )
      )
      return { of: (chainId: number) => services.get(chainId) }
    })
  )
}
