/** Wallets of several owners on the real contracts of the local chain. */
import { type Address, parseAbi, parseEther } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { assert } from "vitest"
import stack from "../../../schema/execution/stack.json" with { type: "json" }
import {
  creationCalldata,
  type WalletContracts,
  walletInitializer
} from "../../../src/smartaccounts/Creation.ts"
import { proxyInitCodeHash, walletAddress } from "../../../src/smartaccounts/WalletAddress.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import { type Sandbox, stranger } from "../../sandbox/support/Sandbox.ts"
import { testKey } from "../../signatures/TestKeys.ts"

const pinned = ({ address }: { readonly address: string }): Address => checksummed(address.toLowerCase())

export const ENTRY_POINT = pinned(stack.pins.entryPoint)

export const GUARD = pinned(stack.pins.guard)

export const contracts: WalletContracts = {
  singleton: pinned(stack.pins.singleton),
  factory: pinned(stack.pins.factory),
  adapter: pinned(stack.pins.adapter),
  launchpad: pinned(stack.pins.launchpad),
  adapterDialect: "safe7579-4"
}

/** In the ascending order of their addresses. */
export const walletOwners = [1, 2, 3]
  .map(number => privateKeyToAccount(testKey(`execution vector owner ${number}`).privateKey))
  .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

const defaultOwners = walletOwners.map(({ address }) => address)

export const factoryAbi = parseAbi(["function proxyCreationCode() view returns (bytes)"])

export const safeAbi = parseAbi([
  "function getOwners() view returns (address[])",
  "function getThreshold() view returns (uint256)",
  "function getModulesPaginated(address start, uint256 pageSize) view returns (address[] page, address next)",
  "function VERSION() view returns (string)",
  "function nonce() view returns (uint256)",
  "function entryPoint() view returns (address)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)",
  "function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes32)"
])

export interface Creating {
  /** In the ascending order of their addresses. */
  readonly owners?: ReadonlyArray<Address>
  readonly threshold?: number
  readonly saltNonce?: bigint
  readonly validators?: ReadonlyArray<Address>
  readonly funds?: bigint
}

export interface Wallet {
  readonly address: Address
  readonly threshold: number
}

let former: Promise<unknown> = Promise.resolve()

/** Whoever creates wallets has one nonce after the other. */
const inTurn = <A>(send: () => Promise<A>): Promise<A> => {
  const sent = former.then(send)
  former = sent.catch(() => {})
  return sent
}

/** Two of three owners unless told otherwise. */
export const createWallet = async (
  sandbox: Sandbox,
  {
    owners = defaultOwners,
    threshold = 2,
    saltNonce = 42n,
    validators = [GUARD],
    funds = parseEther("10")
  }: Creating = {}
): Promise<Wallet> => {
  const { client } = sandbox
  const initializer = walletInitializer(contracts, { owners, threshold }, validators)
  const creationCode = await client.readContract({
    address: contracts.factory,
    abi: factoryAbi,
    functionName: "proxyCreationCode"
  })
  const initCodeHash = proxyInitCodeHash(creationCode, contracts.singleton)
  const address = walletAddress(contracts.factory, initCodeHash, initializer, saltNonce)
  const data = creationCalldata(contracts.singleton, initializer, saltNonce)
  await sandbox.mined(
    inTurn(() => client.sendTransaction({ account: stranger, to: contracts.factory, data }))
  )
  await client.setBalance({ address, value: funds })
  assert.isDefined(await client.getCode({ address }), `no wallet at ${address}`)
  return { address, threshold }
}
