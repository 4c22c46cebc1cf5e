/** The runtime code hashes that the operator has confirmed against a live chain. */
import { readFile } from "node:fs/promises"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { Address, Bytes32, ChainId } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { RuntimePinsDamaged } from "./refusals.ts"

const RuntimePinsFile = strict({
  runtimes: Schema.Array(strict({ chainId: ChainId, address: Address, runtimeCodeHash: Bytes32 }))
})

const decode = Schema.decode(Schema.parseJson(RuntimePinsFile))

const load = Effect.fn("RuntimePins.load")(function* (file: string) {
  const damaged = () =>
    new RuntimePinsDamaged({
      detail: `${file} cannot be read as {"runtimes":[{"chainId","address","runtimeCodeHash"}]}: mend it, or remove it.`,
      context: { file }
    })
  const text = yield* Effect.tryPromise({ try: () => readFile(file, "utf8"), catch: damaged })
  const { runtimes } = yield* Effect.mapError(decode(text), damaged)
  return new Map(runtimes.map(pin => [`${pin.chainId}:${pin.address}`, pin.runtimeCodeHash]))
})

export interface RuntimePinsShape {
  readonly confirmed: (deployment: Deployment) => Option.Option<Bytes32>
}

const make = (pins: ReadonlyMap<string, Bytes32>): RuntimePinsShape => ({
  /** A sandbox chain is the operator's own, so the hash of its manifest counts as confirmed. */
  confirmed: ({ chainId, address, source, runtimeCodeHash }) =>
    Option.fromNullable(pins.get(`${chainId}:${address}`) ?? (source === "sandbox" ? runtimeCodeHash : null))
})

export class RuntimePins extends Context.Tag("protocol/RuntimePins")<RuntimePins, RuntimePinsShape>() {
  static readonly none = Layer.succeed(RuntimePins, make(new Map()))
  static readonly layer = (file: string) => Layer.effect(RuntimePins, Effect.map(load(file), make))
}
