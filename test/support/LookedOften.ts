/** As often as recovery looks at a plan before it believes a node that what it has is over. */
import { sweep } from "../../src/dispatch/Recovery.ts"
import { sqlOn } from "./Sql.ts"
import type { workerOf } from "./Worker.ts"

export const LOOKS = 24

export const lookedOften = async (
  databaseUrl: string,
  worker: ReturnType<typeof workerOf>,
  planId: string
): Promise<void> => {
  await sqlOn(databaseUrl, "UPDATE plans SET sweep_at = 0 WHERE id = $1", [planId])
  await worker.runPromise(sweep)
  const worn = "UPDATE plans SET sweep_attempts = $2, sweep_at = 0 WHERE id = $1"
  await sqlOn(databaseUrl, worn, [planId, LOOKS])
  await worker.runPromise(sweep)
}
