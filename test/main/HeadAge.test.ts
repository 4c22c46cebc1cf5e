import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { headAgeDoubt } from "../../src/main/HeadAge.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { testSettings } from "../support/Settings.ts"

const saidWith = Effect.fnUntraced(function* (headMaximumAgeSeconds: number) {
  const heard: Array<unknown> = []
  const logger = Logger.make(({ message }) => heard.push(message))
  yield* Effect.scoped(Layer.build(headAgeDoubt)).pipe(
    Effect.provideService(Settings, testSettings({ headMaximumAgeSeconds })),
    Effect.provide(Logger.replace(Logger.defaultLogger, logger))
  )
  return heard.map(String).join("\n")
})

describe("the highest age of a head", () => {
  it.effect("is doubted at the start where a plan does not outlive it, and not else", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* saidWith(299), "")
      assert.match(
        yield* saidWith(300),
        /SERVICE_HEAD_MAX_AGE_SECONDS is 300 and SERVICE_PLAN_TTL_SECONDS 300/
      )
    })
  )
})
