/** Plans that the service itself made, sent and saw confirmed, for a filled database to be copied from. */
import type { Plan } from "../src/plans/Plan.ts"
import type { Patterns } from "./growthFill.ts"
import type { BenchServer } from "./support/Database.ts"
import { payment, signedTransaction, submission } from "./support/RelayRequests.ts"
import { ask, plansFor, startLocalChain, terminalOf, withService } from "./support/RelayWorld.ts"
import type { BenchAccount } from "./support/Requests.ts"

const FUNDS = "0x3635c9adc5dea00000"
const LOOKS = 60

const until = async (account: BenchAccount, planId: string, wanted: Plan["status"]): Promise<void> => {
  for (let look = 0; look < LOOKS; look++) {
    const { body } = await ask(account, { method: "GET", target: `/api/v1/plans/${planId}?refresh=true` })
    if (Object(body).status === wanted) return
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
  throw new Error(`a plan did not become ${wanted}`)
}

/** On a database that is new, which gets these accounts. */
export const makePatterns = async (
  postgres: BenchServer,
  name: string,
  accounts: readonly [BenchAccount, ...ReadonlyArray<BenchAccount>]
): Promise<Patterns> => {
  const chain = await startLocalChain()
  const [account] = accounts
  const chains = { SERVICE_RPC_31337: chain.url, SERVICE_SANDBOX_MANIFEST: chain.overlay }
  try {
    return await withService(postgres, name, accounts, chains, async () => {
      await chain.rpc("anvil_setBalance", [account.key.address, FUNDS])
      const calls = [payment(31_337, terminalOf(chain), "2")]
      const [open, sent] = await plansFor([
        { account, calls },
        { account, calls }
      ])
      const [call] = sent?.calls ?? []
      if (open === undefined || sent === undefined || call === undefined) throw new Error("no plans")
      const { status, body } = await ask(account, submission(sent.id, 0, signedTransaction(account, call, 0)))
      if (status !== 202) throw new Error(`a submission answered ${status}: ${JSON.stringify(body)}`)
      await until(account, sent.id, "transactions_confirmed")
      return { open: open.id, confirmed: sent.id }
    })
  } finally {
    await chain.stop()
  }
}
