import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AbiCoder } from "ethers"
import fc from "fast-check"
import { ReadQuery, ResolveQuery } from "../../src/protocol/ProtocolSchemas.ts"
import { ReadContract } from "../../src/protocol/ReadContract.ts"
import { ResolveContract } from "../../src/protocol/ResolveContract.ts"
import { CLONE, FAMILIES, PROJECT, proxyCode, worldOf } from "./support/Clones.ts"
import { pinnedCatalog, resolve, roomsOver, TOKEN } from "./support/Protocol.ts"
import { eachItsOwn, HASH, noTraffic, type Traffic } from "./support/ScriptedChain.ts"

const resolveQuery = Schema.decodeSync(ResolveQuery)
const readQuery = Schema.decodeSync(ReadQuery)

/** Rounds after the one that finds the block, in one process. */
const roundsOf = (traffic: Traffic, body: Effect.Effect<unknown, unknown, ResolveContract | ReadContract>) =>
  Effect.suspend(() => {
    const before = traffic.batches.length
    return Effect.map(body, () => traffic.batches.length - before)
  })

const resolving = (query: Partial<typeof ResolveQuery.Encoded>) =>
  Effect.flatMap(ResolveContract, room =>
    room.resolve(resolveQuery({ chainId: "1", contractId: TOKEN, ...query }))
  )

const reading = (query: Partial<typeof ReadQuery.Encoded>) =>
  Effect.flatMap(ReadContract, room =>
    room.read(readQuery({ chainId: "1", contractId: TOKEN, function: "name()", args: "[]", ...query }))
  )

const named = (world: { readonly answer: (...args: [string, string, [], string, string]) => unknown }) =>
  world.answer(CLONE, "name()", [], "string", "Token")

describe("round trips", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect.each(FAMILIES)(
      "of %s: one for the block and one for the proof, at first sight too",
      ([, family]) =>
        Effect.gen(function* () {
          const world = yield* worldOf(family.implementation)
          const traffic = noTraffic()
          const query = { contractId: family.implementation, address: CLONE }
          const [first, later] = yield* Effect.all([
            roundsOf(traffic, resolving(query)),
            roundsOf(traffic, resolving(query))
          ]).pipe(Effect.provide(roomsOver({ ...world.script(), hash: eachItsOwn() }, traffic)))
          assert.deepStrictEqual([first, later], [1, 1])
          assert.deepStrictEqual(traffic.snapshots, [undefined, undefined])
        })
    )

    it.effect("ask every question at the one block and each question once", () =>
      Effect.gen(function* () {
        for (const [, { implementation }] of FAMILIES) {
          const world = yield* worldOf(implementation)
          const traffic = noTraffic()
          yield* resolve({ contractId: implementation, address: CLONE }, { script: world.script(), traffic })
          const questions = traffic.batches.flat()
          for (const { params } of questions)
            assert.deepStrictEqual(params[1], { blockHash: HASH, requireCanonical: true })
          const texts = questions.map(question => JSON.stringify(question))
          assert.strictEqual(new Set(texts).size, texts.length)
        }
      })
    )

    it.effect("of a token: the project that a request names saves the round that would ask for it", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TOKEN)
        const traffic = noTraffic()
        const query = { address: CLONE, projectId: String(PROJECT) }
        yield* resolve({ contractId: TOKEN, ...query }, { script: world.script(), traffic })
        assert.strictEqual(traffic.batches.length, 1)
      })
    )

    it.effect("of a read: none beyond those of its proof", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TOKEN)
        named(world)
        const traffic = noTraffic()
        const byProject = { projectId: String(PROJECT) }
        const rounds = yield* Effect.all([
          roundsOf(traffic, reading({ address: CLONE })),
          roundsOf(traffic, reading({ address: CLONE })),
          roundsOf(traffic, reading(byProject)),
          roundsOf(traffic, reading(byProject))
        ]).pipe(Effect.provide(roomsOver({ ...world.script(), hash: eachItsOwn() }, traffic)))
        assert.deepStrictEqual(rounds, [1, 1, 1, 1])
      })
    )

    it.effect("prove a clone whatever was guessed of it before the block was known", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TOKEN)
        const piece = world.pieces.find(({ name }) => name === "projectIdOf(address)")
        const script = world.script()
        const { calls = () => ({ result: "0x" }) } = script
        for (const guess of [
          { result: AbiCoder.defaultAbiCoder().encode(["uint256"], [8]) },
          { result: "0x" },
          { error: { code: -32_000 } },
          { error: { code: 3, data: "0x" } }
        ]) {
          let guessed = false
          const traffic = noTraffic()
          const wrongAtFirst: typeof calls = (to, data, value) => {
            if (guessed || `${to}:${data}`.toLowerCase() !== piece?.key.toLowerCase())
              return calls(to, data, value)
            guessed = true
            return guess
          }
          const resolution = yield* resolve(
            { contractId: TOKEN, address: CLONE },
            { script: { ...script, calls: wrongAtFirst }, traffic }
          )
          assert.isTrue(guessed)
          assert.strictEqual(resolution.provenance.kind, "verified-factory-clone")
          assert.strictEqual(traffic.batches.length, 2)
        }
      })
    )

    it.effect("prove at one and the same block what a lie refused a moment ago", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TOKEN)
        const proper = world.codes.get(CLONE) ?? ""
        yield* Effect.gen(function* () {
          world.code(CLONE, "0x6001")
          assert.strictEqual((yield* Effect.flip(resolving({ address: CLONE })))._tag, "TARGET_UNVERIFIED")
          world.code(CLONE, proper)
          assert.strictEqual((yield* resolving({ address: CLONE })).address, CLONE)
        }).pipe(Effect.provide(roomsOver(world.script())))
      })
    )

    it.effect("show a remembered answer that is no longer true for what it is", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TOKEN)
        const traffic = noTraffic()
        const outcome = yield* Effect.gen(function* () {
          yield* resolving({ address: CLONE })
          const piece = world.pieces.find(({ name }) => name === "projectIdOf(address)")
          world.replies.set(piece?.key ?? "", { result: AbiCoder.defaultAbiCoder().encode(["uint256"], [8]) })
          return yield* Effect.flip(resolving({ address: CLONE }))
        }).pipe(Effect.provide(roomsOver({ ...world.script(), hash: eachItsOwn() }, traffic)))
        assert.strictEqual(outcome._tag, "PROVENANCE_UNVERIFIED")
      })
    )
  })
})

describe("codes of the right length", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect.each(FAMILIES)("prove nothing for %s unless they are the factory's proxy", ([, family]) =>
      Effect.gen(function* () {
        const world = yield* worldOf(family.implementation)
        const proper = world.codes.get(CLONE) ?? ""
        const bytes = Buffer.from(proper.slice(2), "hex")
        const anyCode = fc
          .constantFrom(44, 45)
          .chain(length => fc.uint8Array({ minLength: length, maxLength: length }))
        const oneBitOff = fc.nat(bytes.length * 8 - 1).map(bit => {
          const copy = Uint8Array.from(bytes)
          const index = bit >> 3
          copy[index] = (copy[index] ?? 0) ^ (1 << (bit & 7))
          return copy
        })
        const someProxy = fc
          .tuple(
            fc.constantFrom("erc1167" as const, "solady" as const),
            fc.uint8Array({ minLength: 20, maxLength: 20 })
          )
          .map(([standard, address]) =>
            Buffer.from(proxyCode(standard, `0x${Buffer.from(address).toString("hex")}`).slice(2), "hex")
          )
        const codes = fc.sample(fc.oneof(anyCode, oneBitOff, someProxy), { numRuns: 60, seed: 20 })
        const query = { contractId: family.implementation, address: CLONE }
        yield* Effect.gen(function* () {
          for (const code of codes) {
            const text = `0x${Buffer.from(code).toString("hex")}`
            if (text === proper) continue
            world.code(CLONE, text)
            const { _tag } = yield* Effect.flip(resolving(query))
            assert.include(["TARGET_UNVERIFIED", "PROVENANCE_UNVERIFIED"], _tag, text)
          }
          world.code(CLONE, proper)
          assert.strictEqual((yield* resolving(query)).provenance.kind, "verified-factory-clone")
        }).pipe(Effect.provide(roomsOver({ ...world.script(), hash: eachItsOwn() })))
      })
    )
  })
})
