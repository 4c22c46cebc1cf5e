/** The operators' manifests, and what was last seen of each: one that does not match its chain is told, and the service goes on. */
import { readFile } from "node:fs/promises"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import type { RpcBudget } from "../chain/refusals.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import type { Evidence } from "../values/Evidence.ts"
import { steadyMillis } from "../values/SteadyClock.ts"
import { ManifestFile, pinsOf, type SmartManifest } from "./Manifest.ts"
import { ManifestNotFound, SmartAccountsUnavailable } from "./refusals.ts"

export interface ManifestSeen {
  readonly state: "verified" | "drifted" | "unverified"
  /** Unix time in milliseconds. */
  readonly checkedAt: number
  /** The first pin that the chain has other code for. */
  readonly pin?: string
  readonly evidence?: Evidence
}

/** For which a manifest that was seen to match its chain is not looked at again. */
const FRESH_MS = 60_000

export class Manifests extends Context.Tag("smartaccounts/Manifests")<
  Manifests,
  {
    readonly all: ReadonlyArray<SmartManifest>
    readonly byId: (id: string) => Effect.Effect<SmartManifest, SmartAccountsUnavailable | ManifestNotFound>
    /** At the head of its chain, or as it was verified a minute ago at most. */
    readonly seen: (manifest: SmartManifest) => Effect.Effect<ManifestSeen, RpcBudget>
    /** At the head of its chain. */
    readonly look: (manifest: SmartManifest) => Effect.Effect<ManifestSeen, RpcBudget>
    /** As it was last looked at by this process, whenever that was. */
    readonly last: (manifest: SmartManifest) => Effect.Effect<ManifestSeen, RpcBudget>
  }
>() {
  static readonly from = (all: ReadonlyArray<SmartManifest>): Layer.Layer<Manifests, never, ChainClient> =>
    Layer.effect(Manifests, make(all))

  /** None without a file. */
  static readonly fromFile = (file: string | undefined): Layer.Layer<Manifests, StartFailure, ChainClient> =>
    Layer.unwrapEffect(Effect.map(manifestsIn(file), Manifests.from))
}

const manifestsIn = (file: string | undefined): Effect.Effect<ReadonlyArray<SmartManifest>, StartFailure> =>
  file === undefined ? Effect.succeed([]) : readManifests(file)

type Pins = SmartManifest["pins"]

/** Each place once. */
const placesOf = (
  manifests: ReadonlyArray<SmartManifest>,
  pinIn: (pins: Pins) => Pins["factory"] | undefined
) => {
  const places = manifests.flatMap(({ chainId, pins }) => {
    const pin = pinIn(pins)
    return pin === undefined ? [] : [{ chainId, address: pin.address, runtimeCodeHash: pin.runtimeCodeHash }]
  })
  return [...new Map(places.map(each => [`${each.chainId}:${each.address}`, each])).values()]
}

/** Where wallets are created, and what acts for them besides their owners. */
export const walletPlacesIn = (file: string | undefined) =>
  Effect.map(manifestsIn(file), manifests => ({
    factories: placesOf(manifests, ({ factory }) => factory),
    guards: placesOf(manifests, ({ guard }) => guard),
    adapters: placesOf(manifests, ({ adapter }) => adapter),
    entryPoints: placesOf(manifests, ({ entryPoint }) => entryPoint)
  }))

const readManifests = (file: string): Effect.Effect<ReadonlyArray<SmartManifest>, StartFailure> =>
  Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.flatMap(Schema.decode(ManifestFile)),
    Effect.mapBoth({
      onSuccess: ({ manifests }) => manifests,
      onFailure: failure =>
        new StartFailure({
          message: `SERVICE_SMART_MANIFESTS names ${file}, which does not hold manifests of smart accounts: ${reason(failure)}`
        })
    })
  )

const reason = (failure: { readonly message: string; readonly error?: unknown }): string =>
  failure.error instanceof Error ? failure.error.message : failure.message

const verdict = Effect.fnUntraced(function* (manifest: SmartManifest) {
  const chains = yield* ChainClient
  const snapshot = yield* chains.snapshot(manifest.chainId)
  const pins = pinsOf(manifest)
  const codes = yield* snapshot.codes(pins.map(({ address }) => address))
  const drifted = pins.find(
    ({ runtimeCodeHash }, index) => codeHash(codes[index] ?? "0x") !== runtimeCodeHash
  )
  const evidence = evidenceOf(snapshot.block)
  return drifted === undefined
    ? ({ state: "verified", evidence } as const)
    : ({ state: "drifted", pin: drifted.name, evidence } as const)
})

const unverified = { state: "unverified" } as const

const tellChange = (
  { id }: SmartManifest,
  before: ManifestSeen | undefined,
  { state, pin }: ManifestSeen
) => {
  if (state === (before?.state ?? "verified")) return Effect.void
  return state === "verified"
    ? Effect.logInfo(`manifest ${id} matches its chain again`)
    : Effect.logWarning(
        pin === undefined
          ? `manifest ${id} cannot be compared with its chain`
          : `manifest ${id} does not match its chain: ${pin} has other code`
      )
}

const make = Effect.fnUntraced(function* (all: ReadonlyArray<SmartManifest>) {
  const chains = yield* ChainClient
  const known = new Map(all.map(manifest => [manifest.id, manifest]))
  const lastSeen = new Map<string, ManifestSeen>()
  /** Until when each is as it was seen, by a clock that nobody sets. */
  const freshUntil = new Map<string, number>()
  const clock = yield* Effect.clock
  const check = Effect.fn("Manifests.check")(function* (manifest: SmartManifest) {
    const found = yield* verdict(manifest).pipe(
      Effect.provideService(ChainClient, chains),
      Effect.catchAll(failure =>
        failure._tag === "RPC_BUDGET" ? Effect.fail(failure) : Effect.succeed(unverified)
      )
    )
    const told: ManifestSeen = { ...found, checkedAt: yield* Clock.currentTimeMillis }
    yield* tellChange(manifest, lastSeen.get(manifest.id), told)
    lastSeen.set(manifest.id, told)
    if (told.state === "verified") freshUntil.set(manifest.id, steadyMillis(clock) + FRESH_MS)
    else freshUntil.delete(manifest.id)
    return told
  })
  return {
    all,
    byId: (id: string) =>
      all.length === 0
        ? new SmartAccountsUnavailable()
        : Effect.mapError(Option.fromNullable(known.get(id)), () => new ManifestNotFound()),
    seen: (manifest: SmartManifest) => {
      const last = lastSeen.get(manifest.id)
      const isFresh = steadyMillis(clock) < (freshUntil.get(manifest.id) ?? Number.NEGATIVE_INFINITY)
      return last !== undefined && isFresh ? Effect.succeed(last) : check(manifest)
    },
    look: check,
    last: (manifest: SmartManifest) => {
      const last = lastSeen.get(manifest.id)
      return last === undefined ? check(manifest) : Effect.succeed(last)
    }
  }
})
