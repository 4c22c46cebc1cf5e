/** The forwarder of a chain that answers at once: it executes nothing, and all that it is asked about is well. */
import { type Address, encodeAbiParameters, parseAbiParameters, zeroHash } from "viem"
import { keccak256 } from "../../src/values/Keccak.ts"

export const INSTANT_CHAIN = 31_337

export const TERMINAL = "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal"
const FORWARDER = "@openzeppelin/contracts:metatx/ERC2771Forwarder.sol:ERC2771Forwarder"

/** Of everything that has code there. */
const INSTANT_CODE = "0x6001"

const TERMINAL_AT: Address = "0x1000000000000000000000000000000000000001"
const FORWARDER_AT: Address = "0x1000000000000000000000000000000000000002"

/** Where its provider is paid. */
export const PAYMENTS_AT: Address = "0x1311a7D9a0e8d2fDE2D955D80f12C65a56D445b2"

const INSTANT_CODE_HASH = keccak256(Buffer.from(INSTANT_CODE.slice(2), "hex"))

/** For the service's settings. */
export const instantPayments = {
  [INSTANT_CHAIN]: { address: PAYMENTS_AT, runtimeCodeHash: INSTANT_CODE_HASH }
}

const deployment = (contractId: string, address: Address) => ({
  contractId,
  alias: contractId.split(":").at(-1),
  address,
  receipt: { transactionHash: zeroHash, blockNumber: 1 },
  constructorArguments: [{ name: "name", type: "string", value: "Forwarder" }],
  runtimeCodeHash: INSTANT_CODE_HASH
})

/** For the service's catalog: a terminal that trusts the forwarder. */
export const instantManifest = {
  chainId: INSTANT_CHAIN,
  deployments: [deployment(TERMINAL, TERMINAL_AT), deployment(FORWARDER, FORWARDER_AT)] as const
}

const DOMAIN = encodeAbiParameters(
  parseAbiParameters("bytes1, string, string, uint256, address, bytes32, uint256[]"),
  ["0x0f", "Forwarder", "1", BigInt(INSTANT_CHAIN), FORWARDER_AT, zeroHash, []]
)
const TRUE = `0x${"1".padStart(64, "0")}`

/** By the function that is called: `eip712Domain`, `isTrustedForwarder` and `verify`. */
const TOLD: Readonly<Record<string, string>> = {
  "0x84b0196e": DOMAIN,
  "0x572b6c05": TRUE,
  "0x19d8d38c": TRUE
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const ran = { status: "0x1", returnData: "0x", gasUsed: "0x15f90", logs: [] }

const simulated = (asked: unknown) => {
  const blocks = member(asked, "blockStateCalls")
  return (Array.isArray(blocks) ? blocks : []).map(block => {
    const calls = member(block, "calls")
    return { calls: (Array.isArray(calls) ? calls : []).map(() => ran) }
  })
}

const placed = [TERMINAL_AT, FORWARDER_AT, PAYMENTS_AT].map(address => address.toLowerCase())

/** What such a chain answers by method; undefined leaves it to the chain. */
export const forwarderResults: Readonly<Record<string, (first: unknown, second: unknown) => unknown>> = {
  eth_call: asked => TOLD[String(member(asked, "data")).slice(0, 10)],
  eth_getCode: address => (placed.includes(String(address).toLowerCase()) ? INSTANT_CODE : "0x"),
  eth_simulateV1: simulated,
  eth_getLogs: () => []
}
