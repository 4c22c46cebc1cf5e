/** A bundler that carries out at once what it is asked to, in a bundle of its own, on a local chain. */
import { createServer } from "node:http"
import { Schema } from "effect"
import { encodeFunctionData, type Hex, parseAbi } from "viem"
import { developmentAccount } from "../../../sandbox/DevelopmentAccounts.ts"
import { operationHash, packedOperation } from "../../../src/values/PackedOperation.ts"
import { UserOperation } from "../../../src/values/UserOperation.ts"
import { ENTRY_POINT } from "../../smartaccounts/support/Wallets.ts"
import { keptOpen } from "../../support/KeptOpen.ts"
import { close, listen } from "../../support/Listening.ts"
import { rpc } from "../../support/Rpc.ts"
import { takingTurns } from "../../support/TakingTurns.ts"
import { until } from "../../support/Until.ts"
import { answerJson } from "../../support/WireFaults.ts"

export interface PromptBundler {
  readonly url: string
  /** What it was asked to carry, oldest first. */
  readonly sent: ReadonlyArray<UserOperation>
  readonly timesSent: (hash: string) => number
  /** Once the operation stands in a block, or its bundle was reverted in one. */
  readonly carriedOut: (hash: string) => Promise<void>
  /** What is to happen once a wallet's operation has come, and is not yet carried out. */
  readonly beforeCarrying: (wallet: string, act: () => Promise<unknown>) => void
  readonly stop: () => Promise<void>
}

const PLACE = { chainId: 31_337, entryPoint: ENTRY_POINT }
const GAS = {
  preVerificationGas: "0x186a0",
  verificationGasLimit: "0x7a120",
  callGasLimit: "0xf4240"
}
const BUNDLE_GAS = "0x4c4b40"

const abi = parseAbi([
  "struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
  "function handleOps(Op[] ops, address beneficiary)"
])

const read = Schema.decodeUnknownSync(UserOperation)
const executor = developmentAccount(2).address

const carryOut = async (chainUrl: string, operation: UserOperation): Promise<string> => {
  const args = [[packedOperation(operation)], executor] as const
  const data = encodeFunctionData({ abi, functionName: "handleOps", args })
  const transaction = { from: executor, to: ENTRY_POINT, data, gas: BUNDLE_GAS }
  return String(await rpc(chainUrl, "eth_sendTransaction", [transaction]))
}

export const startPromptBundler = async (chainUrl: string): Promise<PromptBundler> => {
  const sent: Array<UserOperation> = []
  const times = new Map<string, number>()
  const before = new Map<string, () => Promise<unknown>>()
  const bundles = new Map<string, string>()
  const inTurn = takingTurns()
  const take = async (given: unknown): Promise<Hex> => {
    const operation = read(given)
    const hash = operationHash(operation, PLACE)
    sent.push(operation)
    times.set(hash, (times.get(hash) ?? 0) + 1)
    await before.get(operation.sender.toLowerCase())?.()
    bundles.set(hash, await inTurn(() => carryOut(chainUrl, operation)))
    return hash
  }
  const answers: Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>> = {
    eth_chainId: () => "0x7a69",
    eth_supportedEntryPoints: () => [ENTRY_POINT],
    eth_estimateUserOperationGas: () => GAS,
    eth_sendUserOperation: ([operation]) => take(operation),
    eth_getUserOperationReceipt: () => null,
    eth_getUserOperationByHash: () => null
  }
  const server = createServer(keptOpen, async (request, response) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    const answer = answers[method]
    const said =
      answer === undefined
        ? { error: { code: -32_601, message: "no such method" } }
        : { result: await answer(params) }
    answerJson(response, JSON.stringify({ jsonrpc: "2.0", id, ...said }))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return {
    url,
    sent,
    timesSent: hash => times.get(hash) ?? 0,
    carriedOut: async hash => {
      const bundle = await until(
        async () => bundles.get(hash),
        found => found !== undefined
      )
      await until(
        () => rpc(chainUrl, "eth_getTransactionReceipt", [bundle]),
        receipt => receipt !== null
      )
    },
    beforeCarrying: (wallet, act) => {
      before.set(wallet.toLowerCase(), act)
    },
    stop: () => close(server)
  }
}
