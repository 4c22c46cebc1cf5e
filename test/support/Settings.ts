/** The service's own defaults as settings for a test. */
import { Either, Layer, Redacted } from "effect"
import { decodeSettings } from "../../src/settings/decode.ts"
import { Settings, type SettingsShape } from "../../src/settings/Settings.ts"

export const testSettings = (over: Partial<SettingsShape> = {}): SettingsShape => ({
  ...Either.getOrThrow(decodeSettings({})),
  reviewSecret: Redacted.make("a review secret for tests, 32 bytes and more"),
  ...over
})

const secret = (url: string | undefined) => (url === undefined ? undefined : Redacted.make(url))

export interface IndexUrls {
  readonly mainnet: string | undefined
  readonly testnet?: string | undefined
}

/** With sources of indexed history, where a network is given one. */
export const indexedSettings = ({ mainnet, testnet }: IndexUrls) =>
  Layer.succeed(
    Settings,
    testSettings({
      indexer: { mainnetUrl: secret(mainnet), testnetUrl: secret(testnet), headers: Redacted.make({}) }
    })
  )
