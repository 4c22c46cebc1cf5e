/** What suckers need before revnet 1 has its own: a messenger and a router that take every message, and deployers that are allowed. */
import { type Address, encodeFunctionData, type Hex, padHex, parseAbi, toHex, zeroHash } from "viem"
import { NATIVE_TOKEN } from "../../../../sandbox/calls.ts"
import { named, ROUTED } from "../Placed.ts"
import { type Sent, sent } from "./Sent.ts"

export const ROUTER = "0x881e3A65B4d4a04dD529061dd0071cf975F58bCD"
export const MESSENGER = "0x4200000000000000000000000000000000000007"
const BRIDGE = "0x4200000000000000000000000000000000000010"

const DEPLOYER = named("JBBaseSuckerDeployer")

const bridgesAbi = parseAbi([
  "function allowSuckerDeployer(address deployer)",
  "function allowTokenMapping(address localToken, uint256 remoteChainId, bytes32 remoteToken)",
  "function configureSingleton(address singleton)",
  "function setChainSpecificConstants(address messenger, address bridge)",
  "function setChainSpecificConstants(uint256 remoteChainId, uint64 remoteChainSelector, address router)"
])

/** Ids of the other chains, and what routers call them. */
export const REMOTE = {
  ETH: [1n, 5_009_297_550_715_157_269n],
  OP: [10n, 3_734_403_246_176_062_136n],
  ARB: [42_161n, 4_949_039_107_694_359_620n]
} as const

const configured = (deployer: Address, singleton: Address, constants: Hex): ReadonlyArray<Sent> => [
  sent(deployer, constants),
  sent(
    deployer,
    encodeFunctionData({ abi: bridgesAbi, functionName: "configureSingleton", args: [singleton] })
  ),
  sent(
    named("JBSuckerRegistry"),
    encodeFunctionData({ abi: bridgesAbi, functionName: "allowSuckerDeployer", args: [deployer] })
  )
]

const nativeBridge = configured(
  DEPLOYER,
  named("JBBaseSucker"),
  encodeFunctionData({
    abi: bridgesAbi,
    functionName: "setChainSpecificConstants",
    args: [MESSENGER, BRIDGE]
  })
)

const routedDeployer = (chain: (typeof ROUTED)[number]) => named(`JBCCIPSuckerDeployer__${chain}`)

const routers = ROUTED.flatMap(chain => {
  const [chainId, selector] = REMOTE[chain]
  const constants = encodeFunctionData({
    abi: bridgesAbi,
    functionName: "setChainSpecificConstants",
    args: [chainId, selector, ROUTER]
  })
  return configured(routedDeployer(chain), named(`JBCCIPSucker__${chain}`), constants)
})

const REMOTE_CHAIN_ID = 1n

export const bridges: ReadonlyArray<Sent> = [
  ...nativeBridge,
  ...routers,
  sent(
    named("JBSuckerRegistry"),
    encodeFunctionData({
      abi: bridgesAbi,
      functionName: "allowTokenMapping",
      args: [named("USDC"), REMOTE_CHAIN_ID, padHex(named("USDC"), { size: 32 })]
    })
  )
]

/** The native bridge, and a router to each of three other chains. */
export const recordedSuckers = {
  deployerConfigurations: [DEPLOYER, ...ROUTED.map(routedDeployer)].map(deployer => ({
    deployer,
    peer: zeroHash,
    mappings: [{ localToken: NATIVE_TOKEN, minGas: 200_000, remoteToken: padHex(NATIVE_TOKEN, { size: 32 }) }]
  })),
  salt: toHex(1, { size: 32 })
}
