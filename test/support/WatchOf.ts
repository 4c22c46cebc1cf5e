import { sqlOn } from "./Sql.ts"

/** Whether recovery looks at a plan, and whether something of it is awaited. */
export const watchOf = async (databaseUrl: string, { id }: { readonly id: string }) => {
  const [row] = await sqlOn(
    databaseUrl,
    "SELECT sweep_at IS NOT NULL AS watched, pending_since IS NOT NULL AS pending FROM plans WHERE id = $1",
    [id]
  )
  return row
}
