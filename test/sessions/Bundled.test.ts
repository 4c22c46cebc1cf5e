/** Operations of sessions through the real bundler. */
import { type Hex, parseEventLogs } from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import { assert, beforeAll, describe, it } from "vitest"
import { sessionEstimation } from "../../src/sessions/Compile.ts"
import { sessionEnvelope } from "../../src/sessions/Envelope.ts"
import { operationHash } from "../../src/values/PackedOperation.ts"
import type { Address } from "../../src/values/Scalars.ts"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { executionCalldata, type WalletCall } from "../../src/values/WalletExecution.ts"
import { asked, type Bundling, bundlerClient, bundling } from "../bundler/support/Bundler.ts"
import { chainId, sentBy } from "../bundler/support/Operations.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { rpc } from "../support/Rpc.ts"
import { until } from "../support/Until.ts"
import {
  balanceOf,
  bundleSays,
  fundedSession,
  type GuardedSession,
  newToken,
  payCall,
  revokeData,
  sessionOperation,
  signedBySession,
  stateAt,
  toldGuard,
  withoutSignature
} from "./support/Guarded.ts"
import { PAYEE } from "./support/Policies.ts"

let real: Bundling
let token: Address

beforeAll(async () => {
  real = await bundling()
  token = await newToken(real.sandbox)
})

/** As the bundler estimates it, by a policy without ceilings and a signature of nobody's. */
const estimated = async (own: GuardedSession, calls: ReadonlyArray<WalletCall>): Promise<UserOperation> => {
  const bare = await withoutSignature(real.sandbox, own, executionCalldata(calls))
  const { encoded, stateOverride } = sessionEstimation(own, own.policy)
  const signature = sessionEnvelope(own.permissionId, encoded, `0x${"11".repeat(64)}1b`)
  const params = [{ ...bare, signature }, ENTRY_POINT, stateOverride]
  const { result, error } = await asked(real.bundler.url, "eth_estimateUserOperationGas", params)
  assert.isUndefined(error, JSON.stringify(error))
  const { callGasLimit, verificationGasLimit, preVerificationGas } = result
  return { ...bare, callGasLimit, verificationGasLimit, preVerificationGas }
}

const refusal = (operation: UserOperation): Promise<string> =>
  sentBy(real, operation).then(
    () => "taken",
    ({ message }) => /AA\d\d/.exec(message)?.[0] ?? message
  )

/** What waits to be mined at the entry point, by sender and nonce. */
const bundlesIn = (pending: Record<string, Record<string, { readonly to: Hex; readonly input: Hex }>>) =>
  Object.values(pending)
    .flatMap(each => Object.values(each))
    .filter(({ to }) => to === ENTRY_POINT.toLowerCase())
    .map(({ input }) => input)

describe("the bundler", () => {
  it("estimates an operation under a session by one overridden word, and carries it", async () => {
    const own = await fundedSession(real.sandbox, token)
    const before = await balanceOf(real.sandbox, token, PAYEE)
    const operation = await signedBySession(own, await estimated(own, [payCall(own)]))
    const hash = operationHash(operation, { chainId, entryPoint: ENTRY_POINT })
    assert.equal(await sentBy(real, operation), hash)
    const { receipt } = await bundlerClient(real).waitForUserOperationReceipt({ hash, timeout: 20_000 })
    const { logs } = await real.sandbox.client.getTransactionReceipt({ hash: receipt.transactionHash })
    const [event] = parseEventLogs({ abi: entryPoint07Abi, eventName: "UserOperationEvent", logs })
    assert.deepInclude(event?.args, { sender: own.account, success: true })
    assert.equal((await balanceOf(real.sandbox, token, PAYEE)) - before, 10n)
    assert.equal((await stateAt(real.sandbox, own)).calls, 1)
  })

  it("takes none whose gas is beyond the session's, nor one that presents the policy of the estimation", async () => {
    const own = await fundedSession(real.sandbox, token)
    const bare = await estimated(own, [payCall(own)])
    const wide = sessionEstimation(own, own.policy).encoded
    assert.equal(await refusal(await signedBySession({ ...own, encoded: wide }, bare)), "AA23")
    const greedy: Hex = `0x${(2_000_000).toString(16)}`
    assert.equal(await refusal(await signedBySession(own, { ...bare, callGasLimit: greedy })), "AA23")
  })

  it("takes no batch, no other payee and no other amount", async () => {
    const own = await fundedSession(real.sandbox, token)
    const refused: ReadonlyArray<ReadonlyArray<WalletCall>> = [
      [payCall(own), payCall(own)],
      [payCall(own, 10n, own.account)],
      [payCall(own, 41n)]
    ]
    for (const calls of refused) {
      const bare = await withoutSignature(real.sandbox, own, executionCalldata(calls))
      assert.equal(await refusal(await signedBySession(own, bare)), "AA23")
    }
  })

  it("loses to a revocation that comes first, and carries nothing after it", async () => {
    const own = await fundedSession(real.sandbox, token)
    const { sandbox } = real
    const operation = await sessionOperation(sandbox, own)
    await rpc(sandbox.url, "evm_setAutomine", [false])
    try {
      await sentBy(real, operation)
      await until(
        () => rpc(sandbox.url, "txpool_status", []),
        ({ pending }) => BigInt(pending) > 0n
      )
      const { pending } = await rpc(sandbox.url, "txpool_content", [])
      await rpc(sandbox.url, "anvil_dropAllTransactions", [])
      await rpc(sandbox.url, "evm_setAutomine", [true])
      const [bundle = assert.fail("no bundle")] = bundlesIn(pending)
      assert.equal(await bundleSays(sandbox, bundle), "accepted")
      await toldGuard(sandbox, own.wallet, revokeData(own.permissionId))
      assert.equal(await bundleSays(sandbox, bundle), "AA23")
    } finally {
      await rpc(sandbox.url, "evm_setAutomine", [true])
    }
    assert.equal(await refusal(await sessionOperation(sandbox, own)), "AA23")
    assert.deepInclude(await stateAt(sandbox, own), { status: 2, calls: 0 })
    assert.equal(await balanceOf(sandbox, token, own.account), 1_000n)
  })
})
