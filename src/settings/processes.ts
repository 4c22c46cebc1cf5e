/** The environment variables of processes: how many there are, and what each takes of the database. */
import { integerKind } from "./kinds.ts"
import { variable } from "./Variable.ts"

export const processSettings = {
  databaseConnections: variable(
    "SERVICE_DATABASE_CONNECTIONS",
    integerKind(2, 1000),
    "10",
    "Connections that this process opens to PostgreSQL at most."
  ),
  processes: variable(
    "SERVICE_PROCESSES",
    integerKind(1, 64),
    "1",
    "Processes that serve SERVICE_PORT together under one supervisor, which SIGHUP has replaced one by one."
  )
} as const
