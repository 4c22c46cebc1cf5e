/** Unpredictable identifiers, as a service so that tests can hold chance by the hand. */
import { Context, Effect, Layer } from "effect"

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")

export class RandomIds extends Context.Tag("values/RandomIds")<
  RandomIds,
  {
    readonly uuid: Effect.Effect<string>
    readonly bytes32: Effect.Effect<`0x${string}`>
  }
>() {
  static readonly layer = Layer.succeed(RandomIds, {
    uuid: Effect.sync(() => crypto.randomUUID()),
    bytes32: Effect.sync(() => `0x${hex(crypto.getRandomValues(new Uint8Array(32)))}` as const)
  })
}
