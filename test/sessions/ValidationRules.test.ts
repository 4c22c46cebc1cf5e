/** What a validation may do by ERC-7562, looked at opcode by opcode. */
import { numberToHex } from "viem"
import { afterAll, assert, beforeAll, it } from "vitest"
import { compiledHashSlot } from "../../src/sessions/Compile.ts"
import { packedOperation } from "../../src/values/PackedOperation.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { GUARD } from "../smartaccounts/support/Wallets.ts"
import { rpc } from "../support/Rpc.ts"
import { fundedSession, newToken, payCall, sessionOperation, validateData } from "./support/Guarded.ts"

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

interface Traced {
  readonly op: string
  readonly stack: ReadonlyArray<string>
}

const FORBIDDEN =
  /^(?:TIMESTAMP|NUMBER|BLOCKHASH|COINBASE|PREVRANDAO|DIFFICULTY|GASLIMIT|BASEFEE|BLOBHASH|BLOBBASEFEE|GASPRICE|ORIGIN|BALANCE|SELFBALANCE|CREATE2?|SELFDESTRUCT|CALL|CALLCODE|DELEGATECALL|EXTCODESIZE|EXTCODECOPY|INVALID|LOG\d)$/

const MEMBERS = 128n

it("reads no time, calls ecrecover alone and keeps to the account's storage", async () => {
  const token = await newToken(sandbox)
  const own = await fundedSession(sandbox, token)
  const operation = await sessionOperation(sandbox, own, payCall(own))
  assert.isAbove(packedOperation(operation).signature.length, 1_000)
  const { structLogs } = await rpc(sandbox.url, "debug_traceCall", [
    { from: own.account, to: GUARD, data: validateData(operation) },
    "latest",
    {}
  ])
  const steps: ReadonlyArray<Traced> = structLogs
  const top = ({ stack }: Traced, depth = 1) => BigInt(stack.at(-depth) ?? "0x0")
  const named = (name: string) => steps.filter(({ op }) => op === name)
  assert.isAbove(steps.length, 1_000)
  assert.deepEqual(
    steps.filter(({ op }) => FORBIDDEN.test(op)),
    []
  )
  assert.deepEqual(
    named("STATICCALL").map(step => top(step, 2)),
    [1n]
  )
  for (const [at, { op }] of steps.entries()) if (op === "GAS") assert.equal(steps[at + 1]?.op, "STATICCALL")
  assert.deepEqual(
    named("EXTCODEHASH").map(step => top(step)),
    [BigInt(token)]
  )
  const first = BigInt(compiledHashSlot(own.account, own.permissionId))
  const slots = [...named("SLOAD"), ...named("SSTORE")].map(step => top(step))
  assert.isAbove(slots.length, 8)
  assert.deepEqual(
    slots.filter(slot => slot < first || slot >= first + MEMBERS).map(slot => numberToHex(slot)),
    []
  )
})
