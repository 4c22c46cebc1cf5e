/** Whether a new wallet will have the owners that were asked for and no other power, before the transaction that creates it is signed. */
import { creationCalldata, walletInitializer } from "../smartaccounts/Creation.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import type { WalletCreation } from "../smartaccounts/SmartAccount.ts"
import { keccak256 } from "../values/Keccak.ts"
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

/** Its address follows from code that the factory alone tells. */
export const checkCreation = (
  { owners, threshold, saltNonce }: AskedWallet,
  { pins, adapterDialect }: SmartManifest,
  { address, initializer, initializerHash, transaction }: WalletCreation
): void => {
  const contracts = {
    singleton: pins.singleton.address,
    factory: pins.factory.address,
    adapter: pins.adapter.address,
    launchpad: pins.launchpad.address,
    adapterDialect
  }
  const validators = pins.guard === undefined ? [] : [pins.guard.address]
  const own = walletInitializer(contracts, { owners, threshold }, validators)
  const checks = {
    initializer: initializer === own && initializerHash === keccak256(fromHex(own)),
    transaction:
      transaction.to === contracts.factory &&
      transaction.data === creationCalldata(contracts.singleton, own, BigInt(saltNonce))
  }
  const [wrong] = Object.entries(checks).find(([, isRight]) => !isRight) ?? []
  if (wrong !== undefined) throw new AlteredPlan(address, `its ${wrong} differs`, "creation of the wallet")
}
