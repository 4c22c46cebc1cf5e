/** The service's own defaults as settings for a test. */
import { Either, Redacted } from "effect"
import { decodeSettings } from "../../src/settings/decode.ts"
import type { SettingsShape } from "../../src/settings/Settings.ts"

export const testSettings = (over: Partial<SettingsShape> = {}): SettingsShape => ({
  ...Either.getOrThrow(decodeSettings({})),
  reviewSecret: Redacted.make("a review secret for tests, 32 bytes and more"),
  ...over
})
