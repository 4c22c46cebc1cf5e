/** Contracts of the local chain that answer what a test tells them. */
import { type Address, type Hex, isHex, parseAbi, parseEventLogs } from "viem"
import artifact from "../../../sandbox/artifacts/Scripted.json" with { type: "json" }
import { owner, type Sandbox } from "./Sandbox.ts"

export const scriptedAbi = parseAbi([
  "struct Log { bytes32[] topics; bytes data; }",
  "function scriptReply(bytes callData, bool reverts, bytes data, Log[] logs)",
  "function scriptErc1167(address implementation) returns (address clone)",
  "function scriptSolady(address implementation) returns (address clone)",
  "error Scripted_NotTold(bytes callData)",
  "event Scripted_Cloned(address indexed clone, address indexed implementation)"
])

const hex = (text: string): Hex => {
  if (!isHex(text)) throw new Error(`${text} is not hexadecimal`)
  return text
}

export const deployScripted = async (sandbox: Sandbox) => {
  const sent = sandbox.client.deployContract({
    abi: scriptedAbi,
    bytecode: hex(artifact.bytecode),
    account: owner
  })
  const { contractAddress, transactionHash, blockNumber } = await sandbox.mined(sent)
  if (!contractAddress) throw new Error("no contract was made")
  return { address: contractAddress, receipt: { transactionHash, blockNumber: Number(blockNumber) } }
}

interface Reply {
  readonly reverts?: boolean
  readonly data?: Hex
  readonly logs?: ReadonlyArray<{ readonly topics: ReadonlyArray<Hex>; readonly data: Hex }>
}

export const tell = (
  sandbox: Sandbox,
  to: Address,
  callData: Hex,
  { reverts = false, data = "0x", logs = [] }: Reply
) =>
  sandbox.mined(
    sandbox.client.writeContract({
      address: to,
      abi: scriptedAbi,
      account: owner,
      functionName: "scriptReply",
      args: [callData, reverts, data, logs]
    })
  )

export const cloneWith = async (
  sandbox: Sandbox,
  factory: Address,
  standard: "erc1167" | "solady",
  implementation: Address
): Promise<Address> => {
  const { logs } = await sandbox.mined(
    sandbox.client.writeContract({
      address: factory,
      abi: scriptedAbi,
      account: owner,
      functionName: standard === "erc1167" ? "scriptErc1167" : "scriptSolady",
      args: [implementation]
    })
  )
  const [made] = parseEventLogs({ abi: scriptedAbi, eventName: "Scripted_Cloned", logs })
  if (made === undefined) throw new Error("no clone was made")
  return made.args.clone
}
