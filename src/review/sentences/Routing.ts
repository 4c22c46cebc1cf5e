/** Bridges between chains, and pools and terminals between tokens. */
import { unpadded } from "../Recipients.ts"
import { amount, exact } from "../Words.ts"
import {
  asset,
  type Clause,
  carried,
  given,
  integer,
  money,
  project,
  projectTokens,
  say,
  type Teller,
  type Telling,
  who
} from "./Speech.ts"

const bridge = (telling: Telling): Clause => say`the bridge ${[exact(telling.explained.call.to)]}`

export const claim: Teller = telling => {
  const leaf = (name: string) => given(telling, "claimData", "leaf", name)
  const count = projectTokens(telling, undefined, integer(leaf("projectTokenCount")), "tokens")
  const backing = integer(leaf("terminalTokenAmount"))
  const token = given(telling, "claimData", "token")
  const balance =
    backing === 0n ? [] : say`, and ${money(telling, token, backing)} go to the balance of its project`
  return say`claim ${count} that came over ${bridge(telling)}; 100 % go to ${who(telling, unpadded(leaf("beneficiary")))}${balance}`
}

export const syncAccounts: Teller = telling =>
  say`have ${bridge(telling)} tell its other chain the accounts of its project${carried(telling, ", and pay for the transport ")}`

const projectOf = (telling: Telling): Clause => project(telling, given(telling, "projectId"))

const assetOf = (telling: Telling): Clause => asset(telling, given(telling, "terminalToken"))

const averaged = (telling: Telling, name: string): Clause =>
  say`prices averaged over ${[amount(`${given(telling, name)} seconds`)]}`

/** Fees of pools are in hundredths of a basis point. */
const PER_PERCENT = 10_000

export const setPool: Teller = telling => {
  const fee = [amount(`${Number(given(telling, "fee")) / PER_PERCENT} %`)]
  return say`choose for ${projectOf(telling)}, for good, a pool of ${assetOf(telling)} with a fee of ${fee} to buy its tokens back at ${averaged(telling, "twapWindow")}`
}

export const setWindow: Teller = telling =>
  say`have ${projectOf(telling)} buy its tokens back for ${assetOf(telling)} at ${averaged(telling, "newWindow")}`

export const setHook: Teller = telling =>
  say`make ${who(telling, given(telling, "hook"))} the buyback hook of ${projectOf(telling)}`

export const setTerminal: Teller = telling =>
  say`make ${who(telling, given(telling, "terminal"))} the router terminal of ${projectOf(telling)}`
