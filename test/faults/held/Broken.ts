/** What is broken of the sessions of a whole stand. */
import { connected } from "../../support/Sql.ts"
import type { CarriedStand } from "../carried/Stand.ts"
import { auditSessions } from "../operating/SessionAudit.ts"

export const heldBroken = async (stand: CarriedStand): Promise<ReadonlyArray<string>> => {
  const { service, chain } = stand
  const client = await connected(service.databaseUrl)
  try {
    const found = await auditSessions(
      chain.url,
      async (text, values = []) => (await client.query(text, [...values])).rows,
      stand.onceCarriedOut
    )
    return Object.entries(found).flatMap(([name, each]) => each.map(line => `${name}: ${line}`))
  } finally {
    await client.end()
  }
}
