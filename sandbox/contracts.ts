/** Which contracts the sandbox deploys, and with which constructor arguments. */
import { type Address, concatHex, encodeAbiParameters, type Hex } from "viem"
import { addressOf, DEPLOYMENT_ORDER, hex } from "./addresses.ts"
import ERC2771Forwarder from "./artifacts/ERC2771Forwarder.json" with { type: "json" }
import JBController from "./artifacts/JBController.json" with { type: "json" }
import JBDeadline1Day from "./artifacts/JBDeadline1Day.json" with { type: "json" }
import JBDirectory from "./artifacts/JBDirectory.json" with { type: "json" }
import JBERC20 from "./artifacts/JBERC20.json" with { type: "json" }
import JBFeelessAddresses from "./artifacts/JBFeelessAddresses.json" with { type: "json" }
import JBFundAccessLimits from "./artifacts/JBFundAccessLimits.json" with { type: "json" }
import JBMatchingPriceFeed from "./artifacts/JBMatchingPriceFeed.json" with { type: "json" }
import JBMultiTerminal from "./artifacts/JBMultiTerminal.json" with { type: "json" }
import JBPermissions from "./artifacts/JBPermissions.json" with { type: "json" }
import JBPrices from "./artifacts/JBPrices.json" with { type: "json" }
import JBProjects from "./artifacts/JBProjects.json" with { type: "json" }
import JBRulesets from "./artifacts/JBRulesets.json" with { type: "json" }
import JBSplits from "./artifacts/JBSplits.json" with { type: "json" }
import JBTerminalStore from "./artifacts/JBTerminalStore.json" with { type: "json" }
import JBTokens from "./artifacts/JBTokens.json" with { type: "json" }
import { loanContracts } from "./families/loans.ts"
import { revnetContracts } from "./families/revnets.ts"
import { routingContracts } from "./families/routing.ts"
import { shopContracts } from "./families/shops.ts"
import { suckerContracts } from "./families/suckers.ts"

interface Parameter {
  readonly name: string
  readonly type: string
}

interface Artifact {
  readonly contractName: string
  readonly abi: ReadonlyArray<{
    readonly type: string
    readonly inputs?: ReadonlyArray<Parameter> | undefined
  }>
  readonly bytecode: string
}

export interface ConstructorArgument extends Parameter {
  readonly value: string
}

export interface SandboxContract {
  readonly name: string
  readonly contractId: string
  readonly address: Address
  readonly creationCode: Hex
  readonly constructorArguments: ReadonlyArray<ConstructorArgument>
}

const NO_ADDRESS: Address = "0x0000000000000000000000000000000000000000"
const PERMIT2: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3"

const coreId = (name: string, folder = "src") => `@bananapus/core-v6:${folder}/${name}.sol:${name}`

export interface Deployed {
  readonly artifact: Artifact
  readonly contractId: string
  /** Constructor arguments that their parameters' names do not tell. */
  readonly arguments?: (deployer: Address) => Readonly<Record<string, string>>
}

const core: ReadonlyArray<Deployed> = [
  {
    artifact: ERC2771Forwarder,
    contractId: "@openzeppelin/contracts:metatx/ERC2771Forwarder.sol:ERC2771Forwarder"
  },
  { artifact: JBPermissions, contractId: coreId("JBPermissions") },
  { artifact: JBProjects, contractId: coreId("JBProjects") },
  { artifact: JBDirectory, contractId: coreId("JBDirectory") },
  { artifact: JBERC20, contractId: coreId("JBERC20") },
  { artifact: JBTokens, contractId: coreId("JBTokens") },
  { artifact: JBRulesets, contractId: coreId("JBRulesets") },
  { artifact: JBSplits, contractId: coreId("JBSplits") },
  { artifact: JBFundAccessLimits, contractId: coreId("JBFundAccessLimits") },
  { artifact: JBPrices, contractId: coreId("JBPrices") },
  { artifact: JBController, contractId: coreId("JBController") },
  { artifact: JBFeelessAddresses, contractId: coreId("JBFeelessAddresses") },
  { artifact: JBTerminalStore, contractId: coreId("JBTerminalStore") },
  { artifact: JBMultiTerminal, contractId: coreId("JBMultiTerminal") },
  { artifact: JBMatchingPriceFeed, contractId: coreId("JBMatchingPriceFeed", "src/periphery") },
  { artifact: JBDeadline1Day, contractId: coreId("JBDeadline1Day", "src/periphery") }
]

/** Where and when each is created, its name's place in the order of deployment says. */
const deployed: ReadonlyArray<Deployed> = [
  ...core,
  ...shopContracts,
  ...revnetContracts,
  ...loanContracts,
  ...suckerContracts,
  ...routingContracts
]

/** The constructor parameters of the protocol are named after the contracts they take. */
const argumentValue = (parameter: string, deployer: Address): string => {
  switch (parameter) {
    case "name":
      return "Forwarder"
    case "owner":
    case "feeProjectOwner":
      return deployer
    case "trustedForwarder":
      return addressOf("ERC2771Forwarder", deployer)
    case "token":
      return addressOf("JBERC20", deployer)
    case "store":
      return addressOf("JBTerminalStore", deployer)
    case "permit2":
      return PERMIT2.toLowerCase()
    case "omnichainRulesetOperator":
      return NO_ADDRESS
    default:
      return addressOf(`JB${parameter.charAt(0).toUpperCase()}${parameter.slice(1)}`, deployer)
  }
}

const contractOf = (deployed: Deployed, deployer: Address): SandboxContract => {
  const { artifact, contractId } = deployed
  const told = deployed.arguments?.(deployer) ?? {}
  const parameters = artifact.abi.find(({ type }) => type === "constructor")?.inputs ?? []
  const constructorArguments = parameters.map(({ name, type }) => ({
    name,
    type,
    value: told[name] ?? argumentValue(name, deployer)
  }))
  const values = constructorArguments.map(({ value }) => value)
  return {
    name: artifact.contractName,
    contractId,
    address: addressOf(artifact.contractName, deployer),
    creationCode: concatHex([hex(artifact.bytecode), encodeAbiParameters(parameters, values)]),
    constructorArguments
  }
}

export const sandboxContracts = (deployer: Address): ReadonlyArray<SandboxContract> =>
  DEPLOYMENT_ORDER.map(name => {
    const found = deployed.find(({ artifact }) => artifact.contractName === name)
    if (found === undefined) throw new Error(`The sandbox has no code of ${name}.`)
    return contractOf(found, deployer)
  })
