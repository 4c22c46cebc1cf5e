/** Plans and the relay: creation, submission, accounting under a scarce node, and round trips. */
import { accounting } from "./relayAccounting.ts"
import { planCreation } from "./relayCreation.ts"
import { stepSubmission } from "./relaySubmission.ts"
import { roundTrips } from "./relayTrips.ts"
import { startPostgres } from "./support/Database.ts"
import { startLocalChain } from "./support/RelayWorld.ts"

const PARTS = ["creation", "submission", "accounting", "trips"]

/** All of it, or the parts that are named behind the flags. */
export const run = async (quick: boolean): Promise<void> => {
  const named = process.argv.slice(2).filter(word => PARTS.includes(word))
  const wants = (part: string) => named.length === 0 || named.includes(part)
  const postgres = await startPostgres()
  const chain = await startLocalChain()
  try {
    if (wants("trips")) await roundTrips(postgres, chain)
    if (wants("creation")) await planCreation(postgres, chain, quick)
    if (wants("submission")) await stepSubmission(postgres, quick)
    if (wants("accounting")) await accounting(postgres, chain, quick)
  } finally {
    await chain.stop()
    await postgres.stop()
  }
}
