/** The sandbox's contracts at the addresses of the recorded ones, so that calls, signatures and hashes need no translation. */
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  isHex,
  parseAbiParameters,
  size,
  sliceHex
} from "viem"
import JBCCIPSucker from "../../../sandbox/artifacts/JBCCIPSucker.json" with { type: "json" }
import JBCCIPSuckerDeployer from "../../../sandbox/artifacts/JBCCIPSuckerDeployer.json" with { type: "json" }
import JBProjectPayer from "../../../sandbox/artifacts/JBProjectPayer.json" with { type: "json" }
import SandboxEther from "../../../sandbox/artifacts/SandboxEther.json" with { type: "json" }
import SandboxPermits from "../../../sandbox/artifacts/SandboxPermits.json" with { type: "json" }
import SandboxPools from "../../../sandbox/artifacts/SandboxPools.json" with { type: "json" }
import SandboxPositions from "../../../sandbox/artifacts/SandboxPositions.json" with { type: "json" }
import SandboxUSD from "../../../sandbox/artifacts/SandboxUSD.json" with { type: "json" }
import { type SandboxContract, sandboxContracts } from "../../../sandbox/contracts.ts"
import { sharedNames } from "../Stored.ts"
import type { Chain, Question } from "./Chain.ts"

export const named = (name: string): Address => {
  const address = sharedNames[name]
  if (address === undefined || !isHex(address)) throw new Error(`the recordings name no ${name}`)
  return address
}

/** Recorded contracts that the sandbox has under another name. */
const RECORDED_NAMES: Readonly<Record<string, string>> = {
  JBOptimismSuckerDeployer: "JBBaseSuckerDeployer",
  JBOptimismSucker: "JBBaseSucker"
}

/** What the recorded deployment told its contracts otherwise than the sandbox's does. */
const RECORDED_ARGUMENTS: Readonly<Record<string, string>> = {
  name: "Juicebox",
  omnichainRulesetOperator: named("JBOmnichainDeployer"),
  publisher: named("CTPublisher"),
  feeRevnetId: "3",
  revId: "3"
}

export const PROJECT_PAYER: Address = "0xE6D6819374c43085cAA26cEC5cBD19AFF5D5f19F"
export const PROTOCOL_OWNER = named("protocolOwner")
const SANDBOX_OWNER: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

interface Placement {
  readonly address: Address
  /** Creation code with its arguments. */
  readonly code: Hex
}

const sandboxed = sandboxContracts(SANDBOX_OWNER)

/** Of the sandbox's own deployment, to the recorded ones. */
const recordedAddresses = new Map([
  [SANDBOX_OWNER.toLowerCase(), PROTOCOL_OWNER],
  ...sandboxed.map(({ name, address }) => [address, named(RECORDED_NAMES[name] ?? name)] as const)
])

const placementOf = ({ name, creationCode, constructorArguments }: SandboxContract): Placement => {
  const told = constructorArguments.map(({ value }) => value)
  const length = size(encodeAbiParameters(constructorArguments, told))
  const recorded = constructorArguments.map(
    argument =>
      RECORDED_ARGUMENTS[argument.name] ??
      recordedAddresses.get(argument.value.toLowerCase()) ??
      argument.value
  )
  const plain = sliceHex(creationCode, 0, size(creationCode) - length)
  return {
    address: named(RECORDED_NAMES[name] ?? name),
    code: concatHex([plain, encodeAbiParameters(constructorArguments, recorded)])
  }
}

const hex = (text: string): Hex => {
  if (!isHex(text)) throw new Error("no code")
  return text
}

const payer: Placement = {
  address: PROJECT_PAYER,
  code: concatHex([
    hex(JBProjectPayer.bytecode),
    encodeAbiParameters([{ type: "address" }], [named("JBDirectory")])
  ])
}

export const DOLLARS = 1_000_000_000_000n

const dollars: Placement = {
  address: named("USDC"),
  code: concatHex([
    hex(SandboxUSD.bytecode),
    encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [PROTOCOL_OWNER, DOLLARS])
  ])
}

/** One contract plays the pool manager and its oracle. */
const pools: ReadonlyArray<Placement> = ["PoolManager", "JBUniswapV4Hook"].map(name => ({
  address: named(name),
  code: hex(SandboxPools.bytecode)
}))

const wrapped: Placement = { address: named("WETH"), code: hex(SandboxEther.bytecode) }

const permits: Placement = { address: named("Permit2"), code: hex(SandboxPermits.bytecode) }

const positions: Placement = {
  address: named("PositionManager"),
  code: concatHex([
    hex(SandboxPositions.bytecode),
    encodeAbiParameters([{ type: "address" }, { type: "address" }], [named("PoolManager"), named("Permit2")])
  ])
}

/** The other chains to which the recorded bridges lead by a router. */
export const ROUTED = ["ETH", "OP", "ARB"] as const

const ROUTED_DEPLOYER = parseAbiParameters("address, address, address, address, address")
const ROUTED_SUCKER = parseAbiParameters("address, address, address, address, uint256, address, address")

const routed: ReadonlyArray<Placement> = ROUTED.flatMap(chain => {
  const [directory, permissions, tokens, registry, forwarder] = [
    named("JBDirectory"),
    named("JBPermissions"),
    named("JBTokens"),
    named("JBSuckerRegistry"),
    named("ERC2771Forwarder")
  ]
  const deployer = named(`JBCCIPSuckerDeployer__${chain}`)
  const told = [directory, permissions, tokens] as const
  return [
    {
      address: deployer,
      code: concatHex([
        hex(JBCCIPSuckerDeployer.bytecode),
        encodeAbiParameters(ROUTED_DEPLOYER, [...told, PROTOCOL_OWNER, forwarder])
      ])
    },
    {
      address: named(`JBCCIPSucker__${chain}`),
      code: concatHex([
        hex(JBCCIPSucker.bytecode),
        encodeAbiParameters(ROUTED_SUCKER, [deployer, ...told, 1n, registry, forwarder])
      ])
    }
  ]
})

const placements: ReadonlyArray<Placement> = [
  ...sandboxed.map(placementOf),
  ...routed,
  payer,
  dollars,
  ...pools,
  wrapped,
  permits,
  positions
]

const creation = ({ address }: Placement): Record<string, unknown> => ({
  from: PROTOCOL_OWNER,
  to: address,
  gas: "0x1c9c380",
  gasPrice: "0x0"
})

/** Answers a price of so many units of the asked decimals. */
const feedCode = (price: number): Hex =>
  concatHex(["0x600435600a0a61", `0x${price.toString(16).padStart(4, "0")}`, "0x0260005260206000f3"])

const setCode = (address: Address, code: Hex): Question => ({
  method: "anvil_setCode",
  params: [address, code]
})

/** Each constructor runs in a call of its own address: first to see the code that it answers, then for what it stores; a contract's nonce begins at one. */
export const place = async (chain: Chain, mine: () => Promise<void>): Promise<void> => {
  await chain.asked(placements.map(({ address, code }) => setCode(address, code)))
  for (const placement of placements) {
    const [runtime] = await chain.asked([
      { method: "eth_call", params: [creation(placement), "latest"] },
      { method: "eth_sendTransaction", params: [creation(placement)] }
    ])
    await mine()
    await chain.asked([setCode(placement.address, hex(String(runtime)))])
  }
  await chain.asked(placements.map(({ address }) => ({ method: "anvil_setNonce", params: [address, "0x1"] })))
  await chain.asked([
    setCode(named("JBChainlinkV3SequencerPriceFeed__ETH_USD"), feedCode(3_000)),
    setCode(named("JBChainlinkV3SequencerPriceFeed__USDC_USD"), feedCode(1))
  ])
}
