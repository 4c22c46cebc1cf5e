/** Whether the prepaid provider is there: asked for a bundle that nobody has, it says so. */
import { Effect, Redacted } from "effect"
import type { SettingsShape } from "../settings/Settings.ts"
import { jsonExchange } from "../upstream/JsonExchange.ts"

const NOBODYS = "/v1/bundle/00000000-0000-0000-0000-000000000000"
const UNAUTHORISED = [401, 403]
const MAXIMUM_BYTES = 65_536
/** Shorter than who asks waits. */
const DEADLINE = "1500 millis"

const isAnswer = (status: number): boolean =>
  status === 200 || (status >= 400 && status < 500 && !UNAUTHORISED.includes(status))

/** Nothing is published by asking, as often as it may be; it is asked by the way that sponsorships go. */
export const providerAnswers = ({
  providerUrl,
  providerHeaders
}: SettingsShape["sponsorship"]): Effect.Effect<boolean> =>
  providerUrl === undefined
    ? Effect.succeed(false)
    : Effect.scoped(
        Effect.gen(function* () {
          const url = new URL(Redacted.value(providerUrl))
          const headers = Redacted.value(providerHeaders)
          const { get } = yield* jsonExchange({ url, maximumBytes: MAXIMUM_BYTES, headers })
          return isAnswer((yield* get(NOBODYS)).status)
        })
      ).pipe(
        Effect.timeout(DEADLINE),
        Effect.orElseSucceed(() => false)
      )
