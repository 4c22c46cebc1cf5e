/** A request that a forwarder executes for its signer, with every value between the signed members and the call that carries it. */
import {
  type Address,
  domainSeparator,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  parseAbi
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { testKey } from "../../test/signatures/TestKeys.ts"
import { FORWARD_REQUEST } from "../../test/support/ForwardRequest.ts"

export const signingOwner = testKey("execution vector owner 1")

export const forwarderAbi = parseAbi([
  "struct Request { address from; address to; uint256 value; uint256 gas; uint48 deadline; bytes data; bytes signature; }",
  "function execute(Request request) payable",
  "event ExecutedForwardRequest(address indexed signer, uint256 nonce, bool success)"
])

export interface ForwardMessage {
  readonly from: Address
  readonly to: Address
  readonly value: string
  readonly gas: string
  readonly nonce: string
  readonly deadline: string
  readonly data: Hex
}

interface Making {
  readonly chainId?: number
  readonly verifyingContract?: Address
  readonly message?: Partial<ForwardMessage>
}

const FORWARDER: Address = "0x17de109A8a2c508C731BebA926014640a102Dd19"

const plain: ForwardMessage = {
  from: getAddress(signingOwner.address),
  to: "0x00000000000000000000000000000000000000B1",
  value: "0",
  gas: "145000",
  nonce: "7",
  deadline: "1800000000",
  data: "0xdeadbeef"
}

/** So that the call inside gets its gas: a 64th stays behind, and the forwarder works before and after it. */
const outerGas = (gas: bigint): bigint => gas + gas / 63n + 100_000n

const account = privateKeyToAccount(signingOwner.privateKey)

export const forwardRequest = async (name: string, description: string, making: Making = {}) => {
  const { chainId = 31_337, verifyingContract = FORWARDER } = making
  const domain = { name: "Forwarder", version: "1", chainId, verifyingContract }
  const message = { ...plain, ...making.message }
  const integers = {
    value: BigInt(message.value),
    gas: BigInt(message.gas),
    nonce: BigInt(message.nonce),
    deadline: Number(message.deadline)
  }
  const data = { ...message, ...integers }
  const signed = { domain, types: FORWARD_REQUEST, primaryType: "ForwardRequest", message: data } as const
  const signature = await account.signTypedData(signed)
  const executeCalldata = encodeFunctionData({
    abi: forwarderAbi,
    functionName: "execute",
    args: [{ ...data, signature }]
  })
  return {
    name,
    description,
    domain,
    message,
    domainSeparator: domainSeparator({ domain }),
    structHash: hashStruct({ types: FORWARD_REQUEST, primaryType: "ForwardRequest", data }),
    digest: hashTypedData(signed),
    signer: signingOwner.address,
    signature,
    executeCalldata,
    outerCallHash: keccak256(executeCalldata),
    outerGas: String(outerGas(integers.gas))
  }
}
