/** Operations of a wallet that a contract may sign for alone, by a passkey: what stands in for its signature, the gas that owners' signatures take, and its form. */
import { Effect } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { call } from "../chain/PinnedReads.ts"
import type { WalletOwners } from "../smartaccounts/Creation.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import { contractEnvelope, envelopedContract } from "../values/OwnerEnvelope.ts"
import { assertsDigest, decodedPasskey, NOBODYS_PASSKEY } from "../values/PasskeySignature.ts"
import type { OperationValidity } from "../values/SafeOperation.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"

const isContract = ({ contractOwners }: SmartManifest, owner: Address): boolean =>
  contractOwners.some(({ address }) => address === owner)

const signingContract = (
  { owners, threshold }: WalletOwners,
  manifest: SmartManifest
): Address | undefined => (threshold === 1 ? owners.find(owner => isContract(manifest, owner)) : undefined)

/** One of them who has no code, and so takes what a bundle pays. */
export const keyOwner = (owners: ReadonlyArray<Address>, manifest: SmartManifest): Address | undefined =>
  owners.find(owner => !isContract(manifest, owner))

/** As long as the longest; undefined where owners sign by their keys alone. */
export const contractStandIn = (
  owners: WalletOwners,
  manifest: SmartManifest,
  validity: OperationValidity
): Hex | undefined => {
  const signer = signingContract(owners, manifest)
  return signer && contractEnvelope(validity, { signer, signature: NOBODYS_PASSKEY })
}

/** Where chains have the verification of P-256 built in, by EIP-7951 and RIP-7212. */
const P256: Address = "0x0000000000000000000000000000000000000100"
/** A digest, a signature and a key that are right, so that whoever verifies them says so. */
const RIGHT: Hex =
  "0xab43e2e0a8b065b97a831fd49f94129dd48dfa19169380560dbcc4316af53f80a024a0f92bd8a7540a3c0e7e5d560ffc56a59695b8df463da9a000651ed8b3cf2a48fa9a3582f99fce98392be0cd6ee4b38eaeb803119f237eae29324f637453d18e45eabe827584d2a3866cacc8bf4556930e18966e2fb947e29e511e40e0ee26749c37a5c2c63e1b49a00cdd5b0e016af75ccdd9145c38217113fec3ea43b9"
const VERIFIED = `0x${"1".padStart(64, "0")}`
/** Beyond what a stand-in shows, whose signature is not even looked at. */
const BUILT_IN_GAS = 60_000n
const COMPUTED_GAS = 450_000n

/** Of each owner's key but the first, at which the wallet is done with a stand-in: who signed, and whether that is an owner. */
const KEY_GAS = 7_000n

/** What looking at the owners' signatures takes; asks the chain only where a contract may sign. */
export const ownersSigningGas = Effect.fnUntraced(function* (
  session: ChainSession,
  at: Bytes32,
  owners: WalletOwners,
  manifest: SmartManifest
) {
  if (signingContract(owners, manifest) === undefined) return KEY_GAS * BigInt(owners.threshold - 1)
  const [outcome] = yield* session.all([call({ to: P256, data: RIGHT }, at)])
  return outcome._tag === "Returned" && outcome.data === VERIFIED ? BUILT_IN_GAS : COMPUTED_GAS
})

interface SignedByOwners extends OperationValidity, WalletOwners {
  readonly digest: Bytes32
}

/** Whether it has the form of a contract's signature over this operation; who alone can judge it is the contract. */
export const isContractSigned = (signature: Hex, signing: SignedByOwners): boolean => {
  const { owners, threshold, digest } = signing
  const part = threshold === 1 ? envelopedContract(signature, signing) : undefined
  if (part === undefined || !owners.some(owner => owner.toLowerCase() === part.signer)) return false
  const passkey = decodedPasskey(part.signature)
  return passkey !== undefined && assertsDigest(passkey, digest)
}
