/** Where contracts stand: the first account creates them in this order and does nothing before. */
import { type Address, getContractAddress, type Hex, isHex } from "viem"

/** Contract n is created with nonce n, so what is added goes to the end. */
export const DEPLOYMENT_ORDER: ReadonlyArray<string> = [
  "ERC2771Forwarder",
  "JBPermissions",
  "JBProjects",
  "JBDirectory",
  "JBERC20",
  "JBTokens",
  "JBRulesets",
  "JBSplits",
  "JBFundAccessLimits",
  "JBPrices",
  "JBController",
  "JBFeelessAddresses",
  "JBTerminalStore",
  "JBMultiTerminal",
  "JBMatchingPriceFeed",
  "JBDeadline1Day",
  "JBAddressRegistry",
  "JB721TiersHookStore",
  "JB721TiersHook",
  "JB721TiersHookDeployer",
  "JB721TiersHookProjectDeployer",
  "REVDeployer",
  "REVOwner",
  "REVLoans",
  "JBSuckerRegistry",
  "JBOptimismSuckerDeployer",
  "JBOptimismSucker",
  "JBBuybackHook",
  "JBBuybackHookRegistry",
  "JBRouterTerminal",
  "JBRouterTerminalRegistry"
]

export const addressOf = (name: string, deployer: Address): Address => {
  const nonce = DEPLOYMENT_ORDER.indexOf(name)
  if (nonce < 0) throw new Error(`The sandbox has no contract ${name}.`)
  return createdAt(deployer, nonce)
}

export const createdAt = (creator: Address, nonce: number): Address =>
  lowerCase(getContractAddress({ from: creator, nonce: BigInt(nonce) }))

export const hex = (value: string): Hex => {
  if (!isHex(value)) throw new Error("An artifact's bytecode is not hexadecimal.")
  return value
}

export const lowerCase = (address: Address): Address => hex(address.toLowerCase())
