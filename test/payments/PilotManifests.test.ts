/** The pilot's manifests have to be there when the service starts. */
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { checkPilotManifests } from "../../src/payments/Pilot.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { Manifests } from "../../src/smartaccounts/Manifests.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { manifest } from "../smartaccounts/support/Inspections.ts"
import { testSettings } from "../support/Settings.ts"
import { CALLBACK, RP_ID } from "./support/PilotBench.ts"

const pilotOf = (...manifestIds: ReadonlyArray<string>) => ({
  issuer: "https://wallet.example",
  rpId: RP_ID,
  apps: [{ bot: manifest.pins.adapter.address, origin: new URL(CALLBACK).origin, callbackUri: CALLBACK }],
  manifestIds
})

const checked = (
  walletPayments: ReturnType<typeof pilotOf> | undefined,
  manifests: Parameters<typeof Manifests.from>[0]
) =>
  checkPilotManifests.pipe(
    Effect.as("starts"),
    Effect.catchAll(({ message }) => Effect.succeed(message)),
    Effect.provide(
      Layer.merge(
        Layer.succeed(Settings, testSettings({ walletPayments })),
        Manifests.from(manifests).pipe(Layer.provide(clientOver({ chainId: 31_337, urls: [] })))
      )
    ),
    Effect.runPromise
  )

describe("a pilot", () => {
  it("starts with the manifests that it names", async () => {
    assert.strictEqual(await checked(undefined, []), "starts")
    assert.strictEqual(await checked(pilotOf(manifest.id), [manifest]), "starts")
  })

  it("does not start with one that is not there, and says which are", async () => {
    assert.strictEqual(
      await checked(pilotOf(manifest.id, "safe-1"), [manifest]),
      `SERVICE_WALLET_PAYMENTS names the manifest "safe-1", which SERVICE_SMART_MANIFESTS does not hold; it holds ${manifest.id}.`
    )
    assert.include(await checked(pilotOf(manifest.id), []), "it holds none.")
  })
})
