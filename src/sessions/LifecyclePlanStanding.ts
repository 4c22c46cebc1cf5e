/** The SQL of whether a plan may be executed that enables or revokes a session. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { refusingSql } from "../database/Pool.ts"

/** Of any other plan too. */
export const lifecyclePlanStands = Effect.map(
  SqlClient.SqlClient,
  sql => (planId: string) =>
    sql<{ stands: boolean }>`SELECT lifecycle_plan_stands(${planId}::uuid) AS stands`.pipe(
      Effect.map(([row]) => row?.stands === true),
      refusingSql
    )
)
