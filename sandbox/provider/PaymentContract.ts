/** Where the provider is paid: its contract, at an address that follows from whom it pays. */
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  isHex,
  parseAbi,
  zeroHash
} from "viem"
import artifact from "../artifacts/PrepaidPayments.json" with { type: "json" }

export const prepaymentAbi = parseAbi([
  "function prepayment(bytes16 bundle, uint40 deadline) payable",
  "event Prepayment(bytes16 indexed bundle, uint256 amount, uint40 deadline)",
  "error CalldataLength(uint256 length)",
  "error DeadlineExceeded()",
  "error RecipientRefused()",
  "error ReentrancyGuardReentrantCall()"
])

/** Stands on every chain; whoever calls it with a salt and code creates the code's contract. */
export const CREATE2_DEPLOYER: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C"

const bytecode = (): Hex => {
  if (!isHex(artifact.bytecode)) throw new Error("The payment contract's bytecode is not hexadecimal.")
  return artifact.bytecode
}

/** A contract of the deployer's, by what creates it. */
export interface Placed {
  readonly address: Address
  readonly creationCode: Hex
}

export const placed = (creationCode: Hex): Placed => ({
  address: getContractAddress({
    opcode: "CREATE2",
    from: CREATE2_DEPLOYER,
    salt: zeroHash,
    bytecode: creationCode
  }),
  creationCode
})

/** What the deployer is sent, to create it. */
export const deployment = ({ creationCode }: Placed): Hex => concatHex([zeroHash, creationCode])

export const paymentContract = (recipient: Address): Placed =>
  placed(concatHex([bytecode(), encodeAbiParameters([{ type: "address" }], [recipient])]))

/** A bundle's id as the contract's events name it. */
export const bundleBytes = (uuid: string): Hex => `0x${uuid.replaceAll("-", "")}`

export const paymentData = (uuid: string, deadline: number): Hex =>
  encodeFunctionData({
    abi: prepaymentAbi,
    functionName: "prepayment",
    args: [bundleBytes(uuid), deadline]
  })
