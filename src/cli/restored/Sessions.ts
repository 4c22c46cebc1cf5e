/** Who may act for the wallets of a restored database by what their guards say, and no session that is stored. */
import { isHex } from "viem"
import { type Check, failed } from "../Checks.ts"
import { explain } from "../Explain.ts"
import { permissionAt, validatorsOf } from "../GuardReads.ts"
import type { Rpc } from "../Rpc.ts"
import { livePermissions } from "./Differences.ts"
import type { LinkedWallet } from "./Stored.ts"

/** More would be refused by nodes that count. */
const WALLETS_TOGETHER = 8

/** In lower case, at any of its validators. */
const liveAt = async (rpc: Rpc, wallet: string): Promise<ReadonlyArray<string>> => {
  const live: Array<string> = []
  if (!isHex(wallet)) return live
  for (const validator of await validatorsOf(rpc, wallet)) {
    const permission = await permissionAt(rpc, validator, wallet)
    if (permission !== undefined) live.push(permission.toLowerCase())
  }
  return live
}

/** A wallet that cannot be read hides no other. */
const sessionsOf = (rpc: Rpc, wallet: LinkedWallet, known: ReadonlyArray<string>) =>
  liveAt(rpc, wallet.address).then(
    live =>
      livePermissions(
        live.map(permission => ({ ...wallet, permission })),
        known
      ),
    failure => [failed(`session of ${wallet.address}`, `not compared: ${explain(failure).message}`)]
  )

export const sessionChecks = async (
  rpc: Rpc,
  wallets: ReadonlyArray<LinkedWallet>,
  known: ReadonlyArray<string>
): Promise<ReadonlyArray<Check>> => {
  const checks: Array<Check> = []
  for (let first = 0; first < wallets.length; first += WALLETS_TOGETHER) {
    const together = wallets.slice(first, first + WALLETS_TOGETHER)
    checks.push(...(await Promise.all(together.map(wallet => sessionsOf(rpc, wallet, known)))).flat())
  }
  return checks
}
