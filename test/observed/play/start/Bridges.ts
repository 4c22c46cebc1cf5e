/** What suckers need before revnet 1 has its own: a messenger that takes every message, and deployers that are allowed. */
import { type Address, encodeFunctionData, padHex, parseAbi, toHex, zeroHash } from "viem"
import { NATIVE_TOKEN } from "../../../../sandbox/calls.ts"
import { named } from "../Placed.ts"
import { type Sent, sent } from "./Sent.ts"

export const MESSENGER = "0x4200000000000000000000000000000000000007"
const BRIDGE = "0x4200000000000000000000000000000000000010"

const DEPLOYER = named("JBBaseSuckerDeployer")

const bridgesAbi = parseAbi([
  "function allowSuckerDeployer(address deployer)",
  "function allowTokenMapping(address localToken, uint256 remoteChainId, bytes32 remoteToken)",
  "function configureSingleton(address singleton)",
  "function setChainSpecificConstants(address messenger, address bridge)"
])

const configured = (deployer: Address): ReadonlyArray<Sent> => [
  sent(
    deployer,
    encodeFunctionData({
      abi: bridgesAbi,
      functionName: "setChainSpecificConstants",
      args: [MESSENGER, BRIDGE]
    })
  ),
  sent(
    deployer,
    encodeFunctionData({
      abi: bridgesAbi,
      functionName: "configureSingleton",
      args: [named("JBBaseSucker")]
    })
  ),
  sent(
    named("JBSuckerRegistry"),
    encodeFunctionData({ abi: bridgesAbi, functionName: "allowSuckerDeployer", args: [deployer] })
  )
]

const REMOTE_CHAIN_ID = 1n

export const bridges: ReadonlyArray<Sent> = [
  ...[DEPLOYER, named("JBCCIPSuckerDeployer__OP")].flatMap(configured),
  sent(
    named("JBSuckerRegistry"),
    encodeFunctionData({
      abi: bridgesAbi,
      functionName: "allowTokenMapping",
      args: [named("USDC"), REMOTE_CHAIN_ID, padHex(named("USDC"), { size: 32 })]
    })
  )
]

/** The native bridge alone of the four that the recorded revnet has. */
export const nativeSucker = {
  deployerConfigurations: [
    {
      deployer: DEPLOYER,
      peer: zeroHash,
      mappings: [
        { localToken: NATIVE_TOKEN, minGas: 200_000, remoteToken: padHex(NATIVE_TOKEN, { size: 32 }) }
      ]
    }
  ],
  salt: toHex(1, { size: 32 })
}
