/** Wallets and their operations: the round trips that they take. */
import { operationTrips } from "./operationTrips.ts"
import { startPostgres } from "./support/Database.ts"

export const run = async (): Promise<void> => {
  const postgres = await startPostgres()
  try {
    await operationTrips(postgres)
  } finally {
    await postgres.stop()
  }
}
