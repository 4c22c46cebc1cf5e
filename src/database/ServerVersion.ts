/** Which servers the service works on: what its migrations say, older ones do not understand. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { StartFailure } from "../settings/StartFailure.ts"

/** As the server counts its versions: 15.0. */
const OLDEST = 150_000

const refusal = (version: string) =>
  new StartFailure({
    message: `The server of SERVICE_DATABASE_URL is PostgreSQL ${version}, and the service needs 15 or later: bring it up to date, or name another one.`
  })

/** Asks the server, so that one that does not answer is found as well. */
export const refuseOldServer = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(
    sql<{ number: number; version: string }>`
      SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version`,
    ([server]) =>
      server !== undefined && server.number < OLDEST ? Effect.fail(refusal(server.version)) : Effect.void
  )
