/** A process that serves the port together with others: it has its settings from the environment, and from its supervisor what that has embedded. */
import { Deferred, Effect, Layer } from "effect"
import { Member, type SharedPort } from "../../settings/Member.ts"
import { Settings } from "../../settings/Settings.ts"
import { unpacked } from "./Packed.ts"
import { type FromMember, kindOf } from "./Words.ts"

/** Who is not heard has no supervisor any more, and ends with it. */
const say = (said: FromMember): void => {
  process.send?.(said, undefined, undefined, () => {})
}

const hearing = Effect.gen(function* () {
  const settings = yield* Deferred.make<object>()
  const replaced = yield* Deferred.make<void>()
  process.on("message", message => {
    if (kindOf(message) === "serve")
      Deferred.unsafeDone(settings, Effect.succeed(Object(unpacked(Object(message).settings))))
    if (kindOf(message) === "replaced") Deferred.unsafeDone(replaced, Effect.void)
  })
  say({ kind: "hearing" })
  const membership: SharedPort = {
    opsAt: port => say({ kind: "ops", port }),
    replaced: Deferred.await(replaced),
    left: Effect.sync(() => say({ kind: "left" }))
  }
  return { membership, settings: Deferred.await(settings) }
})

/** Succeeds never: it ends by interruption. */
export const memberProgram = <A, E>(service: Layer.Layer<A, E, Settings>) =>
  Effect.gen(function* () {
    /** A terminal's, which its supervisor gets as well. */
    process.on("SIGHUP", () => {})
    const { membership, settings } = yield* hearing
    const given = Object.assign({ ...(yield* Settings) }, yield* settings)
    const own = Layer.merge(Layer.succeed(Settings, given), Layer.succeed(Member, membership))
    yield* Layer.build(Layer.provide(service, own))
    say({ kind: "ready" })
    return yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(Settings.layer))
