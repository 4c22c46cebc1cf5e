/** Whether a new wallet will have the owners that were asked for and no other power, before the transaction that creates it is signed. */
import { ascending, creationCalldata, walletInitializer } from "../smartaccounts/Creation.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import type { WalletCreation } from "../smartaccounts/SmartAccount.ts"
import { keccak256 } from "../values/Keccak.ts"
import { proxyAddress, SAFE_PROXY_INIT_CODE_HASH, SAFE_SINGLETON } from "../values/SafeProxy.ts"
import type { Address } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import { AlteredPlan } from "./Errors.ts"

export interface AskedWallet {
  readonly manifestId: string
  readonly owners: ReadonlyArray<Address>
  readonly threshold: number
  /** A decimal integer of 256 bits; the same owners have another wallet for each. */
  readonly saltNonce: string
}

const termsOf = ({ owners, threshold, ...rest }: AskedWallet, chainId: number): string =>
  [chainId, rest.manifestId, rest.saltNonce, threshold, ...ascending(owners)].join().toLowerCase()

/** The address of a wallet of other code follows from what its factory alone tells. */
export const checkCreation = (
  asked: AskedWallet,
  manifest: SmartManifest,
  creation: WalletCreation
): void => {
  const { pins, adapterDialect, chainId } = manifest
  const { address, initializer, initializerHash, transaction } = creation
  const contracts = {
    singleton: pins.singleton.address,
    factory: pins.factory.address,
    adapter: pins.adapter.address,
    launchpad: pins.launchpad.address,
    adapterDialect
  }
  const { singleton, factory } = contracts
  const validators = pins.guard === undefined ? [] : [pins.guard.address]
  const own = walletInitializer(contracts, asked, validators)
  const salt = BigInt(asked.saltNonce)
  const checks = {
    terms: termsOf(creation, creation.chainId) === termsOf(asked, chainId),
    initializer: initializer === own && initializerHash === keccak256(fromHex(own)),
    transaction:
      transaction.to === factory &&
      transaction.value === "0" &&
      transaction.data === creationCalldata(singleton, own, salt),
    address:
      singleton !== SAFE_SINGLETON ||
      address.toLowerCase() === proxyAddress(factory, SAFE_PROXY_INIT_CODE_HASH, own, salt)
  }
  const [wrong] = Object.entries(checks).find(([, isRight]) => !isRight) ?? []
  if (wrong !== undefined) throw new AlteredPlan(address, `its ${wrong} differs`, "creation of the wallet")
}
