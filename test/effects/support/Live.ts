/** Calls sent for real to a sandbox chain, and their receipts as the service reads them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Either } from "effect"
import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseAbi } from "viem"
import { Catalog, type CatalogShape } from "../../../src/catalog/Catalog.ts"
import type { Receipt } from "../../../src/chain/ChainClient.ts"
import { decodeAs, ReceiptAnswer } from "../../../src/chain/Wire.ts"
import type { Effected } from "../../../src/effects/Verify.ts"
import type { Call, Semantic } from "../../../src/plans/Plan.ts"
import { encodeCall } from "../../../src/protocol/EncodeCall.ts"
import { type Sandbox, startSandbox } from "../../sandbox/support/Sandbox.ts"
import { FORWARD_REQUEST } from "../../support/ForwardRequest.ts"
import { verifyEffects } from "./Installed.ts"
import { catalogOf, unreadable } from "./Receipts.ts"

export interface Live {
  readonly sandbox: Sandbox
  readonly catalog: CatalogShape
  readonly stop: () => Promise<void>
}

export const startLive = async (): Promise<Live> => {
  const sandbox = await startSandbox()
  const directory = await mkdtemp(join(tmpdir(), "semantics-"))
  const overlay = join(directory, "deployments.json")
  await writeFile(overlay, JSON.stringify(sandbox.manifest))
  const catalog = await catalogOf([overlay])
  await rm(directory, { recursive: true })
  return { sandbox, catalog, stop: sandbox.stop }
}

export const json = (value: unknown): unknown => {
  if (typeof value === "bigint" || typeof value === "number") return String(value)
  if (Array.isArray(value)) return value.map(json)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, json(member)]))
}

export interface Planned {
  readonly contractId: string
  /** The name where the ABI has one such function. */
  readonly function: string
  readonly args: ReadonlyArray<unknown>
  readonly value?: bigint
  readonly to?: Address
}

export const callOf = ({ sandbox, catalog }: Live, planned: Planned): Call => {
  const { chainId } = sandbox.manifest
  const [deployment] = catalog.deployments(chainId, planned.contractId)
  if (deployment === undefined) throw new Error(`no ${planned.contractId}`)
  const functions = Effect.runSync(catalog.functions(deployment.abiHash))
  const signature = [...functions.keys()].find(key => key.startsWith(`${planned.function}(`)) ?? ""
  const abi = Effect.runSync(catalog.abi(deployment.abiHash))
  const encoded = Either.getOrThrow(encodeCall(abi, signature, planned.args.map(json)))
  return {
    chainId,
    to: planned.to ?? deployment.address,
    data: encoded.data,
    value: String(planned.value ?? 0n),
    label: "",
    dependsOn: [],
    decoded: {
      contractId: planned.contractId,
      abiHash: deployment.abiHash,
      function: signature,
      args: encoded.decodedArgs
    }
  }
}

export const receiptOf = async ({ sandbox }: Live, hash: Hex): Promise<Receipt> => {
  await sandbox.mined(Promise.resolve(hash))
  const body = { jsonrpc: "2.0", id: 1, method: "eth_getTransactionReceipt", params: [hash] }
  const headers = { "content-type": "application/json" }
  const answer = await fetch(sandbox.url, { method: "POST", headers, body: JSON.stringify(body) })
  const { result } = await answer.json()
  return Effect.runPromise(decodeAs(ReceiptAnswer)(result))
}

export const sent = async (live: Live, account: LocalAccount, call: Call): Promise<Receipt> => {
  const { to, data, value } = call
  return receiptOf(
    live,
    await live.sandbox.client.sendTransaction({ account, to, data, value: BigInt(value) })
  )
}

export const judgedOn = (
  { catalog }: Live,
  account: Address,
  call: Call,
  receipt: Receipt,
  over: Partial<Effected> = {}
): Semantic =>
  Effect.runSync(
    verifyEffects({ call, account, receipt, logs: receipt.logs, read: unreadable, ...over }).pipe(
      Effect.provideService(Catalog, catalog)
    )
  )

const forwarderAbi = parseAbi([
  "struct ForwardRequestData { address from; address to; uint256 value; uint256 gas; uint48 deadline; bytes data; bytes signature; }",
  "function executeBatch(ForwardRequestData[] requests, address refundReceiver) payable"
])

/** The relayer's transaction succeeds whatever the call does. */
export const forwardedBy = async (
  live: Live,
  relayer: LocalAccount,
  signer: LocalAccount,
  call: Call,
  nonce: bigint
): Promise<Receipt> => {
  const { sandbox } = live
  const verifyingContract = sandbox.at("ERC2771Forwarder")
  const { timestamp } = await sandbox.client.getBlock()
  const request = {
    from: signer.address,
    to: call.to,
    value: BigInt(call.value),
    gas: 2_000_000n,
    deadline: Number(timestamp) + 3_600,
    data: call.data
  }
  const signature = await signer.signTypedData({
    domain: { name: "Forwarder", version: "1", chainId: sandbox.manifest.chainId, verifyingContract },
    types: FORWARD_REQUEST,
    primaryType: "ForwardRequest",
    message: { ...request, nonce }
  })
  const data = encodeFunctionData({
    abi: forwarderAbi,
    functionName: "executeBatch",
    args: [[{ ...request, signature }], relayer.address]
  })
  const hash = await sandbox.client.sendTransaction({
    account: relayer,
    to: verifyingContract,
    data,
    value: request.value
  })
  return receiptOf(live, hash)
}
