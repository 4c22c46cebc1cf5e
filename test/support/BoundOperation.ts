/** Steps as a user operation of the same binding would hold them. */
import { sqlOn } from "./Sql.ts"

const WORD = `0x${"12".repeat(32)}`

const OPERATION = `INSERT INTO user_operations (id, account, principal, plan, steps, chain_id, entry_point, sender, nonce, binding, state_hash,
    terms, operation_hash, commitment, created_at, expires_at, valid_until, since_block, maximum_cost, wallet_code_hash,
    entry_point_code_hash, claimed)
  SELECT b.binding_id, p.account, p.principal, p.id, ARRAY[b.step], 31337, '0x', '0x', 0, '', '', '{}', $2, '', 0, 0, 0, 0, 0, $2, $2, true
  FROM plans p JOIN transport_bindings b ON b.plan = p.id WHERE p.id = $1`

/** Of the plan's steps that left. */
export const bindToOperations = async (databaseUrl: string, planId: string): Promise<void> => {
  await sqlOn(databaseUrl, OPERATION, [planId, WORD])
  await sqlOn(
    databaseUrl,
    "UPDATE transport_bindings SET transport = 'eip4337-user-operation' WHERE plan = $1",
    [planId]
  )
}
