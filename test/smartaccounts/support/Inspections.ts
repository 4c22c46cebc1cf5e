/** A real wallet that is changed by its owners, or whose contracts are replaced, and what an inspection then says. */
import { Effect, Either } from "effect"
import { type Address, concatHex, type Hex, keccak256, parseAbi } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { inspectWallet } from "../../../src/smartaccounts/Inspect.ts"
import { type ManifestTerms, revised, type SmartManifest } from "../../../src/smartaccounts/Manifest.ts"
import { ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import { clientOver } from "../../chain/ChainUnderTest.ts"
import { type Acting, type Sandbox, stranger } from "../../sandbox/support/Sandbox.ts"
import { rpc } from "../../support/Rpc.ts"
import { safeAbi, type Wallet, walletOwners } from "./Wallets.ts"

/** Answers everything with the word 1: yes, whatever it is asked. */
export const YES: Hex = "0x600160005260206000f3"

export const controlAbi = parseAbi([
  "function enableModule(address module)",
  "function setFallbackHandler(address handler)",
  "function setGuard(address guard)",
  "function addOwnerWithThreshold(address owner, uint256 threshold)",
  "function removeOwner(address before, address owner, uint256 threshold)",
  "function installModule(uint256 moduleType, address module, bytes initData)"
])

/** A transaction of the wallet's, to itself unless told otherwise, signed by as many owners as it asks for. */
export const ownersDo = async (
  { client, mined }: Acting,
  wallet: Wallet,
  data: Hex,
  owners: ReadonlyArray<PrivateKeyAccount> = walletOwners,
  to: Address = wallet.address
) => {
  const read = { address: wallet.address, abi: safeAbi } as const
  const nonce = await client.readContract({ ...read, functionName: "nonce" })
  const call = [to, 0n, data, 0, 0n, 0n, 0n, ZERO_ADDRESS, ZERO_ADDRESS] as const
  const hash = await client.readContract({
    ...read,
    functionName: "getTransactionHash",
    args: [...call, nonce]
  })
  const signers = owners.slice(0, wallet.threshold)
  const signatures = concatHex(await Promise.all(signers.map(owner => owner.sign({ hash }))))
  return mined(
    client.writeContract({
      ...read,
      account: stranger,
      functionName: "execTransaction",
      args: [...call, signatures]
    })
  )
}

export const manifest = localManifest()

/** The local chain's manifest, but for this. */
export const changed = (change: Partial<ManifestTerms>): SmartManifest => {
  const { revision: _, ...terms } = manifest
  return revised({ ...terms, ...change })
}

export const inspected = ({ url }: Sandbox, address: Address, by: SmartManifest = manifest) =>
  inspectWallet(by, address).pipe(
    Effect.provide(clientOver({ chainId: 31_337, urls: [url] })),
    Effect.either,
    Effect.scoped,
    Effect.runPromise
  )

/** The check that an inspection ends with. */
export const faultOf = async (sandbox: Sandbox, address: Address, by?: SmartManifest) => {
  const found = await inspected(sandbox, address, by)
  if (Either.isRight(found)) return "none"
  const { _tag: code, context } = found.left
  return code === "SMART_ACCOUNT_UNSUPPORTED" ? context?.check : code
}

/** From a block of its own on: the hash of a block names one code for good. */
const setCode = async (url: string, address: Address, code: Hex): Promise<void> => {
  await rpc(url, "anvil_setCode", [address, code])
  await rpc(url, "anvil_mine", ["0x1"])
}

/** With other code at an address for as long as this takes. */
export const withCode = async <A>(
  { url }: Sandbox,
  address: Address,
  code: Hex,
  then: (hash: Hex) => Promise<A>
): Promise<A> => {
  const before = await rpc(url, "eth_getCode", [address, "latest"])
  await setCode(url, address, code)
  try {
    return await then(keccak256(code))
  } finally {
    await setCode(url, address, before)
  }
}
