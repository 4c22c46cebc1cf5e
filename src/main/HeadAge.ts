/** Says at the start where a node may serve with a head that is too old for a plan. */
import { Effect, Layer } from "effect"
import { Settings } from "../settings/Settings.ts"

export const headAgeDoubt = Layer.effectDiscard(
  Effect.flatMap(Settings, ({ headMaximumAgeSeconds, plans: { ttlSeconds } }) =>
    headMaximumAgeSeconds < ttlSeconds
      ? Effect.void
      : Effect.logWarning(
          `SERVICE_HEAD_MAX_AGE_SECONDS is ${headMaximumAgeSeconds} and SERVICE_PLAN_TTL_SECONDS ${ttlSeconds}: a node whose head is as old as that serves, and every plan is refused with RPC_BEHIND. Give the first less than the second.`
        )
  )
)
