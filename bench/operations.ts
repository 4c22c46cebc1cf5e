/** Wallets and their operations: how fast they are bound, planned for, prepared and sent, and the round trips that they take. */
import { operationSpeed } from "./operationSpeed.ts"
import { operationTrips } from "./operationTrips.ts"
import { startPostgres } from "./support/Database.ts"

const PARTS = ["trips", "speed"]

/** All of it, or the parts that are named behind the flags. */
export const run = async (quick: boolean): Promise<void> => {
  const named = process.argv.slice(2).filter(word => PARTS.includes(word))
  const wants = (part: string) => named.length === 0 || named.includes(part)
  const postgres = await startPostgres()
  try {
    if (wants("trips")) await operationTrips(postgres)
    if (wants("speed")) await operationSpeed(postgres, quick)
  } finally {
    await postgres.stop()
  }
}
