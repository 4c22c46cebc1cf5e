/** A sandbox with a target that trusts its forwarder, and requests to it. */
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from "viem"
import { FORWARD_REQUEST } from "../../support/ForwardRequest.ts"
import { until } from "../../support/Until.ts"
import { type holder, type Sandbox, startSandbox } from "./Sandbox.ts"
import { deployScripted, tell } from "./Scripted.ts"

export const forwarderAbi = parseAbi([
  "struct Request { address from; address to; uint256 value; uint256 gas; uint48 deadline; bytes data; bytes signature; }",
  "function verify(Request request) view returns (bool)",
  "function execute(Request request) payable",
  "function executeBatch(Request[] requests, address refundReceiver) payable",
  "function nonces(address owner) view returns (uint256)",
  "function isTrustedForwarder(address forwarder) view returns (bool)",
  "event ExecutedForwardRequest(address indexed signer, uint256 nonce, bool success)",
  "error ERC2771ForwarderExpiredRequest(uint48 deadline)",
  "error ERC2771ForwarderInvalidSigner(address signer, address from)",
  "error ERC2771ForwarderMismatchedValue(uint256 requestedValue, uint256 msgValue)",
  "error ERC2771UntrustfulTarget(address target, address forwarder)",
  "error FailedCall()"
])

export const GOOD: Hex = "0x11111111"
export const REVERTING: Hex = "0x22222222"

export interface Forwarding {
  readonly sandbox: Sandbox
  readonly forwarder: Address
  /** Answers GOOD and reverts for REVERTING. */
  readonly target: Address
}

export type Signer = typeof holder

export const trust = ({ sandbox, forwarder }: Omit<Forwarding, "target">, to: Address, trusted: boolean) =>
  tell(
    sandbox,
    to,
    encodeFunctionData({ abi: forwarderAbi, functionName: "isTrustedForwarder", args: [forwarder] }),
    { data: encodeAbiParameters([{ type: "bool" }], [trusted]) }
  )

export const startForwarding = async (): Promise<Forwarding> => {
  const sandbox = await startSandbox()
  const forwarder = sandbox.at("ERC2771Forwarder")
  const target = (await deployScripted(sandbox)).address
  await trust({ sandbox, forwarder }, target, true)
  await tell(sandbox, target, GOOD, { data: "0x01" })
  await tell(sandbox, target, REVERTING, { reverts: true, data: "0xdeadbeef" })
  return { sandbox, forwarder, target }
}

export const forwarderNonce = ({ sandbox, forwarder }: Forwarding, { address }: Signer): Promise<bigint> =>
  sandbox.client.readContract({
    address: forwarder,
    abi: forwarderAbi,
    functionName: "nonces",
    args: [address]
  })

export const headTime = async (sandbox: Sandbox): Promise<number> =>
  Number((await sandbox.client.getBlock()).timestamp)

export interface Change {
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
  readonly deadline?: number
  /** Behind the current nonce. */
  readonly later?: bigint
}

export const signedRequest = async (world: Forwarding, signer: Signer, change: Change = {}) => {
  const request = {
    from: signer.address,
    to: change.to ?? world.target,
    value: change.value ?? 0n,
    gas: 200_000n,
    deadline: change.deadline ?? (await headTime(world.sandbox)) + 1000,
    data: change.data ?? GOOD
  }
  const signature = await signer.signTypedData({
    domain: { name: "Forwarder", version: "1", chainId: 31_337, verifyingContract: world.forwarder },
    types: FORWARD_REQUEST,
    primaryType: "ForwardRequest",
    message: { ...request, nonce: (await forwarderNonce(world, signer)) + (change.later ?? 0n) }
  })
  return { ...request, signature }
}

export type SignedForwardRequest = Awaited<ReturnType<typeof signedRequest>>

export const executeData = (request: SignedForwardRequest): Hex =>
  encodeFunctionData({ abi: forwarderAbi, functionName: "execute", args: [request] })

/** Whatever its status. */
export const receiptOf = async ({ client }: Sandbox, hash: Hex) => {
  const found = await until(
    () => client.getTransactionReceipt({ hash }).catch(() => undefined),
    receipt => receipt !== undefined
  )
  if (found === undefined) throw new Error("no receipt")
  return found
}
