import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Address, getAddress, isHex, keccak256 } from "viem"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { ReadContract } from "../../src/protocol/ReadContract.ts"
import { ResolveContract } from "../../src/protocol/ResolveContract.ts"
import { RuntimePins } from "../../src/protocol/RuntimePins.ts"
import { temporaryDirectory } from "../catalog/support/Inventories.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { cloneWith, deployScripted, tell } from "../sandbox/support/Scripted.ts"
import { startRecordingProxy } from "../support/RecordingProxy.ts"
import {
  ADDRESS_REGISTRY,
  at,
  FAMILIES,
  HOOK,
  SUCKER_REGISTRY,
  TIERS_HOOK,
  type World,
  worldOf
} from "./support/Clones.ts"
import { TOKEN } from "./support/Protocol.ts"

const chainId = 31_337

class Chain extends Context.Tag("test/Chain")<
  Chain,
  { readonly sandbox: Sandbox; readonly roundTrips: () => number }
>() {}

/** All families but the tokens, whose contracts the sandbox has. */
const SCRIPTED = FAMILIES.filter(([, { implementation }]) => implementation !== TOKEN)

const publish = async (sandbox: Sandbox) => {
  const ids = SCRIPTED.flatMap(([, { implementation, factory }]) => [implementation, factory])
  const rows = []
  for (const contractId of [...ids, ADDRESS_REGISTRY, SUCKER_REGISTRY]) {
    const { address, receipt } = await deployScripted(sandbox)
    const runtimeCodeHash = keccak256((await sandbox.client.getCode({ address })) ?? "0x")
    rows.push({
      contractId,
      alias: contractId,
      address,
      receipt,
      constructorArguments: null,
      runtimeCodeHash
    })
  }
  return rows
}

const chain = Layer.unwrapScoped(
  Effect.gen(function* () {
    const sandbox = yield* Effect.acquireRelease(Effect.promise(startSandbox), ({ stop }) =>
      Effect.promise(stop)
    )
    const proxy = yield* Effect.acquireRelease(
      Effect.promise(() => startRecordingProxy({ upstream: sandbox.url })),
      ({ stop }) => Effect.promise(stop)
    )
    const scripted = yield* Effect.promise(() => publish(sandbox))
    const replaced = new Set(scripted.map(({ contractId }) => contractId))
    const own = sandbox.manifest.deployments.filter(({ contractId }) => !replaced.has(contractId))
    const deployments = [...own, ...scripted]
    const file = join(yield* temporaryDirectory, "sandbox.json")
    yield* Effect.promise(() => writeFile(file, JSON.stringify({ chainId, deployments })))
    return Layer.merge(ResolveContract.layer, ReadContract.layer).pipe(
      Layer.provideMerge(clientOver({ chainId, urls: [proxy.url] })),
      Layer.provide(RuntimePins.none),
      Layer.provideMerge(Catalog.layer({ directory: "schema/protocol", overlays: [file] })),
      Layer.provideMerge(Layer.succeed(Chain, { sandbox, roundTrips: proxy.roundTrips }))
    )
  })
)

const here = (contractId: string) => at(contractId, "current", false, chainId)

const clone = Effect.fn("clone")(function* (contractId: string) {
  const { sandbox } = yield* Chain
  const [, family] = yield* Effect.fromNullable(
    FAMILIES.find(([, { implementation }]) => implementation === contractId)
  )
  const [factory, implementation] = [yield* here(family.factory), yield* here(contractId)]
  return yield* Effect.promise(() => cloneWith(sandbox, factory, family.standard, implementation))
})

const play = Effect.fn("play")(function* (world: World, hook: Address) {
  const { sandbox } = yield* Chain
  const bytes = (text: string) => {
    const named = text.replaceAll(HOOK.slice(2), hook.slice(2).toLowerCase())
    return isHex(named) ? named : assert.fail(`${text} is not hexadecimal`)
  }
  for (const [key, reply] of world.replies) {
    const [to = "", data = ""] = key.split(":")
    if ("result" in reply)
      yield* Effect.promise(() => tell(sandbox, bytes(to), bytes(data), { data: bytes(reply.result) }))
  }
})

const proved = Effect.fn("proved")(function* (contractId: string) {
  const hook = yield* clone(TIERS_HOOK)
  const address = yield* clone(contractId)
  yield* play(yield* worldOf(contractId, address, "current", chainId), hook)
  return address
})

describe("clones on a chain", () => {
  it.layer(chain, { timeout: "120 seconds" })(it => {
    it.effect(
      "are the sandbox's own tokens, by address and by project, in two round trips, at first sight too",
      () =>
        Effect.gen(function* () {
          const { sandbox, roundTrips } = yield* Chain
          const token = getAddress(sandbox.manifest.seeded.token)
          const room = yield* ResolveContract
          const queries = [{ address: token }, { projectId: "2" }, { address: token, projectId: "2" }]
          for (const query of queries) {
            for (let sight = 1; sight <= 2; sight++) {
              const before = roundTrips()
              const resolved = yield* room.resolve({ chainId, contractId: TOKEN, ...query })
              assert.strictEqual(roundTrips() - before, 2)
              assert.strictEqual(resolved.address, token)
              assert.deepInclude(resolved.provenance, {
                kind: "verified-factory-clone",
                runtimeVerified: true
              })
            }
          }
          const read = yield* (yield* ReadContract).read({
            chainId,
            contractId: TOKEN,
            projectId: "2",
            function: "symbol()",
            args: "[]"
          })
          assert.deepStrictEqual(
            read.outputs.map(({ value }) => value),
            ["DEMO"]
          )
        })
    )

    it.effect.each(SCRIPTED)(
      "of %s are proved from their own bytes and answers",
      ([, { implementation, proofs }]) =>
        Effect.gen(function* () {
          const address = yield* proved(implementation)
          const query = { chainId, contractId: implementation, address }
          const room = yield* ResolveContract
          const { provenance } = yield* room.resolve(query)
          assert.deepInclude(provenance, { kind: "verified-factory-clone", runtimeVerified: true })
          assert.includeMembers([...("proofs" in provenance ? provenance.proofs : [])], [...proofs])
          const untold = yield* clone(implementation)
          const refusal = yield* Effect.flip(room.resolve({ ...query, address: untold }))
          assert.strictEqual(refusal._tag, "PROVENANCE_UNVERIFIED")
        })
    )

    it.effect("that an unpublished factory made are refused", () =>
      Effect.gen(function* () {
        const { sandbox } = yield* Chain
        const lookalike = yield* Effect.promise(() => deployScripted(sandbox))
        const implementation = yield* here(TIERS_HOOK)
        const address = yield* Effect.promise(() =>
          cloneWith(sandbox, lookalike.address, "solady", implementation)
        )
        const world = yield* worldOf(TIERS_HOOK, address, "current", chainId)
        world.answer(
          yield* here(ADDRESS_REGISTRY),
          "deployerOf(address)",
          [address],
          "address",
          lookalike.address
        )
        yield* play(world, address)
        const room = yield* ResolveContract
        const refusal = yield* Effect.flip(room.resolve({ chainId, contractId: TIERS_HOOK, address }))
        assert.strictEqual(refusal._tag, "PROVENANCE_UNVERIFIED")
      })
    )

    it.effect("are not proved at a block that left the chain meanwhile", () =>
      Effect.gen(function* () {
        const { sandbox } = yield* Chain
        const address = yield* proved(TIERS_HOOK)
        const room = yield* ResolveContract
        const snapshot = yield* (yield* ChainClient).snapshot(chainId)
        const query = { chainId, contractId: TIERS_HOOK, address }
        assert.strictEqual((yield* room.resolveAt(snapshot, query)).address, address)
        yield* Effect.promise(() =>
          sandbox.client.transport.request({ method: "anvil_reorg", params: [1, []] })
        )
        const refusal = yield* Effect.flip(room.resolveAt(snapshot, query))
        assert.match(refusal._tag, /^RPC_/)
      })
    )
  })
})
