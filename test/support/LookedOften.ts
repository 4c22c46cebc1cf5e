/** As often as recovery looks at a plan before it believes a node that what it has is over. */

import { sqlOn } from "./Sql.ts"
import { sweep } from "./Sweeps.ts"
import type { workerOf } from "./Worker.ts"

export const LOOKS = 24

/** The next look comes long enough after the one before to count. */
export const sightsPass = (databaseUrl: string, planId: string) =>
  sqlOn(
    databaseUrl,
    "UPDATE plan_steps SET sights = jsonb_set(sights::jsonb, '{at}', '0')::json WHERE plan = $1 AND sights IS NOT NULL",
    [planId]
  )

export const lookedOften = async (
  databaseUrl: string,
  worker: ReturnType<typeof workerOf>,
  planId: string
): Promise<void> => {
  await sqlOn(databaseUrl, "UPDATE plans SET sweep_at = 0 WHERE id = $1", [planId])
  await worker.runPromise(sweep)
  const worn = "UPDATE plan_steps SET sights = $2 WHERE plan = $1 AND sights IS NOT NULL"
  await sqlOn(databaseUrl, worn, [planId, JSON.stringify({ count: LOOKS, at: 0 })])
  await sqlOn(databaseUrl, "UPDATE plans SET sweep_at = 0 WHERE id = $1", [planId])
  await worker.runPromise(sweep)
}
