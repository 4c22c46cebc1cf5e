/** A project with two suckers that are each other's peers on the same chain, and a claim that one has delivered to the other. */
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  padHex,
  parseAbi,
  parseEther,
  toHex,
  zeroHash
} from "viem"
import { addressOf, lowerCase } from "../addresses.ts"
import JBOptimismSucker from "../artifacts/JBOptimismSucker.json" with { type: "json" }
import JBOptimismSuckerDeployer from "../artifacts/JBOptimismSuckerDeployer.json" with { type: "json" }
import JBSuckerRegistry from "../artifacts/JBSuckerRegistry.json" with { type: "json" }
import {
  call,
  NATIVE_TOKEN,
  nativeTerminal,
  ruleset,
  type SandboxAccounts,
  type SandboxCall
} from "../calls.ts"
import type { Deployed } from "../contracts.ts"
import { protocolAbi } from "../protocolAbi.ts"

export const BRIDGED_PROJECT_ID = 5n
export const TO_REMOTE_FEE = parseEther("0.001")
const FIRST_PAYMENT = parseEther("4")
const BRIDGED_TOKENS = parseEther("1000")
const MINT_TOKENS = 10

export const suckersId = (name: string, folder = "src") =>
  `@bananapus/suckers-v6:${folder}/${name}.sol:${name}`

export const suckerContracts: ReadonlyArray<Deployed> = [
  {
    artifact: JBSuckerRegistry,
    contractId: suckersId("JBSuckerRegistry"),
    arguments: owner => ({ initialOwner: owner })
  },
  {
    artifact: JBOptimismSuckerDeployer,
    contractId: suckersId("JBOptimismSuckerDeployer", "src/deployers"),
    arguments: owner => ({ configurator: owner })
  },
  {
    artifact: JBOptimismSucker,
    contractId: suckersId("JBOptimismSucker"),
    arguments: owner => ({
      deployer: addressOf("JBOptimismSuckerDeployer", owner),
      feeProjectId: "1",
      registry: addressOf("JBSuckerRegistry", owner)
    })
  }
]

const suckerAbi = parseAbi([
  "struct Mapping { address localToken; uint32 minGas; bytes32 remoteToken; }",
  "struct Configuration { address deployer; bytes32 peer; Mapping[] mappings; }",
  "struct Permissions { address operator; uint64 projectId; uint8[] permissionIds; }",
  "function allowSuckerDeployer(address deployer)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function configureSingleton(address _singleton)",
  "function deploySuckersFor(uint256 projectId, bytes32 salt, Configuration[] configurations) returns (address[] suckers)",
  "function prepare(uint256 projectTokenCount, bytes32 beneficiary, uint256 minTokensReclaimed, address token, bytes32 metadata)",
  "function setChainSpecificConstants(address messenger, address bridge)",
  "function setPermissionsFor(address account, Permissions permissionsData)",
  "function toRemote(address token) payable"
])

export const word = (address: Address): Hex => padHex(lowerCase(address), { size: 32 })

const salted = (caller: Address, salt: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: "address" }, { type: "bytes32" }], [caller, salt]))

const SALTS = [toHex(1, { size: 32 }), toHex(2, { size: 32 })] as const

/** The registry salts with the caller, the deployer with the registry. */
const suckerAt = (owner: Address, salt: Hex): Address => {
  const code = ["0x602c3d8160093d39f33d3d3d3d363d3d37363d73", "0x5af43d3d93803e602a57fd5bf3"] as const
  return lowerCase(
    getContractAddress({
      opcode: "CREATE2",
      from: addressOf("JBOptimismSuckerDeployer", owner),
      salt: salted(addressOf("JBSuckerRegistry", owner), salted(owner, salt)),
      bytecode: concatHex([code[0], addressOf("JBOptimismSucker", owner), code[1]])
    })
  )
}

/** The first sends to the second, where the claim waits. */
export const suckersOf = (owner: Address): readonly [Address, Address] => [
  suckerAt(owner, SALTS[0]),
  suckerAt(owner, SALTS[1])
]

const packed = (caller: Address, salt: Hex): Hex => keccak256(concatHex([caller, salt]))

/** JBTokens salts with the controller, the controller with its caller. */
export const bridgedTokenOf = (owner: Address): Address => {
  const code = ["0x3d602d80600a3d3981f3363d3d373d3d3d363d73", "0x5af43d82803e903d91602b57fd5bf3"] as const
  return lowerCase(
    getContractAddress({
      opcode: "CREATE2",
      from: addressOf("JBTokens", owner),
      salt: packed(addressOf("JBController", owner), packed(owner, SALTS[0])),
      bytecode: concatHex([code[0], addressOf("JBERC20", owner), code[1]])
    })
  )
}

const wiring = (owner: Address): ReadonlyArray<SandboxCall> => {
  const deployer = addressOf("JBOptimismSuckerDeployer", owner)
  const configure = (data: Hex) => call(deployer, data)
  return [
    configure(
      encodeFunctionData({
        abi: suckerAbi,
        functionName: "setChainSpecificConstants",
        args: [deployer, deployer]
      })
    ),
    configure(
      encodeFunctionData({
        abi: suckerAbi,
        functionName: "configureSingleton",
        args: [addressOf("JBOptimismSucker", owner)]
      })
    ),
    call(
      addressOf("JBSuckerRegistry", owner),
      encodeFunctionData({ abi: suckerAbi, functionName: "allowSuckerDeployer", args: [deployer] })
    )
  ]
}

const project = (owner: Address): ReadonlyArray<SandboxCall> => {
  const [controller, terminal] = [addressOf("JBController", owner), addressOf("JBMultiTerminal", owner)]
  const launch = encodeFunctionData({
    abi: protocolAbi,
    functionName: "launchProjectFor",
    args: [owner, "", [ruleset], [nativeTerminal(terminal)], "Has bridges"]
  })
  const deployToken = encodeFunctionData({
    abi: protocolAbi,
    functionName: "deployERC20For",
    args: [BRIDGED_PROJECT_ID, "Bridged Token", "BRDG", SALTS[0]]
  })
  const pay = encodeFunctionData({
    abi: protocolAbi,
    functionName: "pay",
    args: [BRIDGED_PROJECT_ID, NATIVE_TOKEN, FIRST_PAYMENT, owner, 0n, "First payment", "0x"]
  })
  return [call(controller, launch), call(controller, deployToken), call(terminal, pay, FIRST_PAYMENT)]
}

/** The sucker may mint what is claimed at it. */
const suckerCalls = (owner: Address, salt: Hex, peer: Address): ReadonlyArray<SandboxCall> => {
  const mappings = [{ localToken: NATIVE_TOKEN, minGas: 200_000, remoteToken: word(NATIVE_TOKEN) }]
  const deployer = addressOf("JBOptimismSuckerDeployer", owner)
  const deploy = encodeFunctionData({
    abi: suckerAbi,
    functionName: "deploySuckersFor",
    args: [BRIDGED_PROJECT_ID, salt, [{ deployer, peer: word(peer), mappings }]]
  })
  const permit = encodeFunctionData({
    abi: suckerAbi,
    functionName: "setPermissionsFor",
    args: [
      owner,
      { operator: suckerAt(owner, salt), projectId: BRIDGED_PROJECT_ID, permissionIds: [MINT_TOKENS] }
    ]
  })
  return [call(addressOf("JBSuckerRegistry", owner), deploy), call(addressOf("JBPermissions", owner), permit)]
}

const delivery = ({ holder, owner }: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const [sender] = suckersOf(owner)
  const approve = encodeFunctionData({
    abi: suckerAbi,
    functionName: "approve",
    args: [sender, BRIDGED_TOKENS]
  })
  const prepare = encodeFunctionData({
    abi: suckerAbi,
    functionName: "prepare",
    args: [BRIDGED_TOKENS, word(holder), 0n, NATIVE_TOKEN, zeroHash]
  })
  const send = encodeFunctionData({ abi: suckerAbi, functionName: "toRemote", args: [NATIVE_TOKEN] })
  return [call(bridgedTokenOf(owner), approve), call(sender, prepare), call(sender, send, TO_REMOTE_FEE)]
}

export const suckerSeed = (accounts: SandboxAccounts): ReadonlyArray<SandboxCall> => {
  const { owner } = accounts
  const [first, second] = suckersOf(owner)
  return [
    ...wiring(owner),
    ...project(owner),
    ...suckerCalls(owner, SALTS[0], second),
    ...suckerCalls(owner, SALTS[1], first),
    ...delivery(accounts)
  ]
}
