/** Whether the prepaid provider is there: asked for a bundle that nobody has, it says so. */
import { Effect, Redacted } from "effect"
import type { SettingsShape } from "../settings/Settings.ts"

const NOBODYS = "/v1/bundle/00000000-0000-0000-0000-000000000000"
const UNAUTHORISED = [401, 403]

const isAnswer = (status: number): boolean =>
  status === 200 || (status >= 400 && status < 500 && !UNAUTHORISED.includes(status))

/** Nothing is published by asking, as often as it may be. */
export const providerAnswers = ({
  providerUrl,
  providerHeaders
}: SettingsShape["sponsorship"]): Effect.Effect<boolean> =>
  providerUrl === undefined
    ? Effect.succeed(false)
    : Effect.tryPromise(async signal => {
        const headers = Redacted.value(providerHeaders)
        const url = new URL(NOBODYS, Redacted.value(providerUrl))
        const { status, body } = await fetch(url, { headers, redirect: "manual", signal })
        await body?.cancel()
        return isAnswer(status)
      }).pipe(Effect.orElseSucceed(() => false))
