/** The verification that is calculated where no bundler estimates it, against what the real guard needs of small and large policies. */
import { keccak256, toHex } from "viem"
import { afterAll, assert, beforeAll, it } from "vitest"
import { calculatedVerification } from "../../src/useroperations/CalculateGas.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import {
  entryPointSays,
  type GuardedSession,
  newSession,
  newToken,
  payCall,
  sessionOperation
} from "./support/Guarded.ts"
import { transferAction } from "./support/Policies.ts"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

/** Of the last of so many actions, whose rules are as many as a transfer has. */
const sessionOf = async (actions: number): Promise<GuardedSession> => {
  const token = await newToken(sandbox)
  const code = keccak256((await sandbox.client.getCode({ address: token })) ?? "0x")
  const others = Array.from({ length: actions - 1 }, (_, at) => ({
    ...transferAction(token, code),
    selector: toHex(at + 1, { size: 4 })
  }))
  return newSession(sandbox, token, { actions: [...others, transferAction(token, code)] })
}

const STEP = 2_000

/** The least with which the entry point lets the first operation be. */
const neededBy = async (session: GuardedSession): Promise<number> => {
  const passes = async (gas: number) => {
    const verificationGasLimit = toHex(gas)
    const operation = await sessionOperation(sandbox, session, payCall(session), { verificationGasLimit })
    return (await entryPointSays(sandbox, operation)) === "accepted"
  }
  let [low, high] = [50_000, 1_500_000]
  while (high - low > STEP) {
    const middle = Math.floor((low + high) / 2)
    if (await passes(middle)) high = middle
    else low = middle
  }
  return high
}

it.each([1, 4, 16])(
  "suffices for a policy of %i actions, and is not twice of it",
  { timeout: 120_000 },
  async actions => {
    const session = await sessionOf(actions)
    const calculated = Number(calculatedVerification((session.encoded.length - 2) / 2))
    const needed = await neededBy(session)
    assert.isAbove(calculated, needed * 1.1, `${calculated} for ${needed}`)
    assert.isBelow(calculated, needed * 2, `${calculated} for ${needed}`)
  }
)
