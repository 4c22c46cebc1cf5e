/** The manifests of operators, against a chain that matches them, and one that does not. */
import { createHash } from "node:crypto"
import { Clock, Effect, Either, Schema } from "effect"
import { type Address, keccak256, zeroAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ManifestFile, SmartManifest } from "../../src/smartaccounts/Manifest.ts"
import { Manifests } from "../../src/smartaccounts/Manifests.ts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { setClock } from "../support/Clocks.ts"
import { changed, manifest, withCode } from "./support/Inspections.ts"

const fileOf = (...manifests: ReadonlyArray<unknown>) => JSON.stringify({ manifests })
const nobody = { address: zeroAddress, runtimeCodeHash: keccak256("0x"), source: "a test" }
const isRead = (text: string) => Either.isRight(Schema.decodeUnknownEither(ManifestFile)(text))

describe("a file of manifests", () => {
  it("is read with the revision that its terms have", () => {
    const { revision, ...terms } = manifest
    assert.equal(revision, `0x${createHash("sha256").update(canonicalJson(terms)).digest("hex")}`)
    assert.isTrue(isRead(fileOf(manifest, changed({ id: "another" }))))
    assert.isTrue(isRead(fileOf()))
  })

  it("may write addresses in lower case, which is the same manifest", () => {
    const { factory } = manifest.pins
    const lower = { ...factory, address: factory.address.toLowerCase() }
    const text = { ...manifest, pins: { ...manifest.pins, factory: lower } }
    assert.deepEqual(Schema.decodeUnknownSync(SmartManifest)(text), manifest)
  })

  it.each([
    ["terms that are not of the revision", { ...manifest, mode: "ownership-only" }],
    ["no revision", { ...manifest, revision: undefined }],
    ["another version", changed({ safeVersion: "1.3.0" } as object)],
    ["another dialect", changed({ adapterDialect: "safe7579-2" } as object)],
    ["a pin too few", changed({ pins: { ...manifest.pins, factory: undefined } } as object)],
    ["a name that is none", changed({ id: "" })],
    ["nobody as paymaster", changed({ pins: { ...manifest.pins, paymasters: [nobody] } })]
  ])("is refused with %s", (_, given) => {
    assert.isFalse(isRead(fileOf(given)))
  })

  it("is refused with the revision that its terms would have", () => {
    const drafted = changed({ id: "drafted" })
    const refused = Schema.decodeUnknownEither(ManifestFile)(
      fileOf({ ...drafted, revision: manifest.revision })
    )
    assert.include(String(Either.getLeft(refused)), `that of these is ${drafted.revision}`)
  })

  it("is refused where two have one name", () => {
    assert.isFalse(isRead(fileOf(manifest, changed({ mode: "ownership-only" }))))
  })
})

describe("the manifests", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  const elsewhere = changed({ id: "elsewhere", chainId: 1 })

  const using = <A, E>(
    use: (manifests: typeof Manifests.Service) => Effect.Effect<A, E>,
    clock = Clock.make()
  ) =>
    Effect.flatMap(Manifests, use).pipe(
      Effect.provide(Manifests.from([manifest, elsewhere])),
      Effect.provide(clientOver({ chainId: 31_337, urls: [sandbox.url] })),
      Effect.scoped,
      Effect.withClock(clock),
      Effect.runPromise
    )

  const checked = () => using(({ seen }) => seen(manifest))

  it("are known by their names", async () => {
    await using(({ all, byId }) =>
      Effect.gen(function* () {
        assert.deepEqual(all, [manifest, elsewhere])
        assert.deepEqual(yield* byId(manifest.id), manifest)
        const unknown = yield* Effect.flip(byId("unknown"))
        assert.equal(unknown._tag, "MANIFEST_NOT_FOUND")
      })
    )
  })

  it("are not looked at again within a minute after they were verified", async () => {
    await using(({ seen }) =>
      Effect.gen(function* () {
        const first = yield* seen(manifest)
        assert.strictEqual(yield* seen(manifest), first)
        assert.notStrictEqual(yield* seen(elsewhere), yield* seen(elsewhere))
      })
    )
  })

  it("are looked at again after that minute, though the time of day was put back meanwhile", async () => {
    let passed = 0
    const clock = setClock(
      () => -2 * passed,
      () => passed
    )
    await using(
      ({ seen }) =>
        Effect.gen(function* () {
          const first = yield* seen(manifest)
          assert.strictEqual(yield* seen(manifest), first)
          passed = 60_000
          assert.notStrictEqual(yield* seen(manifest), first)
        }),
      clock
    )
  })

  it("are verified at a block where each pin has its code", async () => {
    const { number, hash } = await sandbox.client.getBlock()
    const { state, evidence, pin } = await checked()
    assert.equal(state, "verified")
    assert.isUndefined(pin)
    assert.deepInclude(evidence, { chainId: 31_337, blockNumber: String(number), blockHash: hash })
  })

  it.each([
    ["adapter", manifest.pins.adapter.address],
    ["senderCreator", manifest.pins.senderCreator.address],
    ["paymaster-0", manifest.pins.paymasters[0]?.address ?? assert.fail("no paymaster")]
  ] satisfies ReadonlyArray<readonly [string, Address]>)(
    "drift where the %s has other code, and come back",
    async (name, address) => {
      for (const code of ["0x00", "0x"] as const) {
        const found = await withCode(sandbox, address, code, checked)
        assert.deepInclude(found, { state: "drifted", pin: name })
      }
      assert.equal((await checked()).state, "verified")
    }
  )

  it("are unverified where their chain says nothing", async () => {
    const found = await using(({ seen }) => seen(elsewhere))
    assert.equal(found.state, "unverified")
    assert.isUndefined(found.evidence)
  })
})
