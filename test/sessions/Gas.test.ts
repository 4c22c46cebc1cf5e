/** What the guard's document says that its calls cost. */
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, it } from "vitest"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import {
  carried,
  codeHashAt,
  enableData,
  fundedSession,
  guardedWallet,
  newToken,
  nowOf,
  payCall,
  revokeData,
  sessionOf,
  sessionOperation,
  toldGuard
} from "./support/Guarded.ts"
import { policyFor } from "./support/Policies.ts"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

const documented = (what: string): number => {
  const line = readFileSync("docs/session-guard.md", "utf8")
    .split("\n")
    .find(text => text.startsWith(`| ${what} |`))
  return Number(/\| ([\d,]+) \|$/.exec(line ?? "")?.[1]?.replaceAll(",", ""))
}

/** Nonces, salts and times have bytes that are zero or not. */
const SHARE = 0.01

const lastGas = async (): Promise<bigint> => {
  const { transactions } = await sandbox.client.getBlock()
  const [hash = assert.fail("an empty block")] = transactions
  return (await sandbox.client.getTransactionReceipt({ hash })).gasUsed
}

it("is what they cost, to a hundredth", async () => {
  const token = await newToken(sandbox)
  const wallet = await guardedWallet(sandbox)
  const creation = await lastGas()
  const policy = policyFor(token, await codeHashAt(sandbox, token), await nowOf(sandbox))
  const { gasUsed: enable } = await toldGuard(
    sandbox,
    wallet,
    enableData(sessionOf(wallet, token, policy).encoded)
  )
  const own = await fundedSession(sandbox, token)
  const { gasUsed: first } = await carried(sandbox, [await sessionOperation(sandbox, own)])
  const { gasUsed: next } = await carried(sandbox, [await sessionOperation(sandbox, own, payCall(own, 11n))])
  const { gasUsed: revoke } = await toldGuard(sandbox, own.wallet, revokeData(own.permissionId))
  const figures = {
    "a wallet's creation with the guard": creation,
    "`enable` of a policy of one action, by a transaction of two owners": enable,
    "the first transfer under a session": first,
    "each further transfer": next,
    "`revoke`, by a transaction of two owners": revoke
  }
  const far = Object.entries(figures).filter(
    ([what, gas]) => !(Math.abs(documented(what) - Number(gas)) < SHARE * Number(gas))
  )
  assert.deepEqual(far, [])
})
