/** The policy that a session asks for, compiled here, and the calls by which its wallet's guard takes it and ends it. */
import { NATIVE_ASSET } from "../sessions/KnownRights.ts"
import type { SessionAction, SessionPolicy } from "../sessions/PolicyShape.ts"
import type { PublicSession } from "../sessions/Session.ts"
import type { SessionInput } from "../sessions/SessionInput.ts"
import { digitsOf, encodedMembers, tailOfBytes, word } from "../values/AbiWords.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { WalletManifest } from "./CheckUserOperation.ts"

/** What a policy follows from, beside its wallet's manifest. */
type PolicyTerms = Omit<SessionInput, "bindingId" | "grantId"> & Pick<PublicSession, "chainId" | "sessionKey">

type AskedAction = SessionInput["actions"][number]
type Asked<Kind extends AskedAction["kind"]> = Extract<AskedAction, { readonly kind: Kind }>

const NO_ADDRESS = `0x${"00".repeat(20)}` as const
const NO_HASH = `0x${"00".repeat(32)}` as const
const DAY_SECONDS = 86_400
const NO_ALLOCATION = 255

const equal = (offset: number, value: string | number) => ({
  condition: 0,
  offset,
  word: `0x${word(value)}` as const
})

const atMost = (offset: number, value: string) => ({ ...equal(offset, value), condition: 1 })

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** Those of the wallet's own chain, in the order in which they were asked for. */
const allocationsOf = ({ allocations, chainId }: Pick<PolicyTerms, "allocations" | "chainId">) =>
  allocations.flatMap(group => group.allocations).filter(each => each.chainId === chainId)

type Compiled = Omit<SessionAction, "codeHash" | "allocation"> & { readonly allocationId?: string }

const uri = ({ controller, projectId }: Asked<"v6-project-uri">): Compiled => ({
  target: controller,
  selector: "0x702a3977",
  valueMode: 0,
  minimumLength: 100,
  maximumLength: 2_148,
  perCall: "0",
  total: "0",
  rules: [equal(0, projectId), equal(32, 64)]
})

const spent = ({ allocationId, perCallLimit, totalLimit }: Asked<"erc20-transfer" | "v6-pay">) => ({
  allocationId,
  perCall: perCallLimit,
  total: totalLimit
})

const transfer = (action: Asked<"erc20-transfer">, asset: Address): Compiled => ({
  target: asset,
  selector: "0xa9059cbb",
  valueMode: 0,
  minimumLength: 68,
  maximumLength: 68,
  ...spent(action),
  rules: [equal(0, action.beneficiary), atMost(32, action.perCallLimit)]
})

const pay = (action: Asked<"v6-pay">, asset: Address): Compiled => ({
  target: action.terminal,
  selector: "0xfef43257",
  valueMode: isSame(asset, NATIVE_ASSET) ? 1 : 0,
  minimumLength: 292,
  maximumLength: 292,
  ...spent(action),
  rules: [
    equal(0, action.projectId),
    equal(32, asset),
    atMost(64, action.perCallLimit),
    equal(96, action.beneficiary),
    equal(128, action.minReturnedTokens),
    equal(160, 224),
    equal(192, 256),
    equal(224, 0),
    equal(256, 0)
  ]
})

const compiled = (action: AskedAction, assetOf: (id: string) => Address): Compiled => {
  if (action.kind === "v6-project-uri") return uri(action)
  const asset = assetOf(action.allocationId)
  return action.kind === "v6-pay" ? pay(action, asset) : transfer(action, asset)
}

const gasOf = ({ gasBudget }: PolicyTerms, { pins }: WalletManifest): SessionPolicy["gas"] => {
  const { paymaster, totalGasLimit, totalCostLimit, ...rest } = gasBudget
  const pin = pins.paymasters.find(({ address }) => paymaster !== null && isSame(address, paymaster))
  return {
    ...rest,
    paymaster: paymaster ?? NO_ADDRESS,
    paymasterCodeHash: pin?.runtimeCodeHash ?? NO_HASH,
    totalGas: totalGasLimit,
    totalCost: totalCostLimit
  }
}

export const policyAskedFor = (terms: PolicyTerms, manifest: WalletManifest): SessionPolicy => {
  const allocations = allocationsOf(terms)
  const placeOf = (id: string | undefined) => allocations.findIndex(each => each.id === id)
  const assetOf = (id: string): Address => allocations[placeOf(id)]?.asset ?? NO_ADDRESS
  const codeOf = (target: Address): Bytes32 =>
    manifest.reviewed.targets.find(({ address }) => isSame(address, target))?.runtimeCodeHash ?? NO_HASH
  const { sessionKey, generation, nonce, validAfter, durationDays, maximumCalls } = terms
  return {
    sessionKey,
    generation,
    nonce,
    validAfter,
    validUntil: validAfter + durationDays * DAY_SECONDS,
    maximumCalls,
    gas: gasOf(terms, manifest),
    allocations: allocations.map(({ id, asset, limit }) => ({ id: keccak256Utf8(id), asset, limit })),
    actions: terms.actions.map(asked => {
      const { allocationId, ...action } = compiled(asked, assetOf)
      const allocation = allocationId === undefined ? NO_ALLOCATION : placeOf(allocationId)
      return { ...action, codeHash: codeOf(action.target), allocation }
    })
  }
}

type Enabled = Pick<PublicSession["compiled"], "enableNonce" | "encodedPolicy" | "guard">

const enabling = ({ enableNonce, encodedPolicy }: Enabled): string =>
  encodedMembers([word(enableNonce), tailOfBytes(digitsOf(encodedPolicy))])

/** `enable(uint64,bytes)` of the guard. */
export const enableCalldata = (session: Enabled): Hex => `0x305c9c4c${enabling(session)}`

/** `installModule(uint256,address,bytes)` of a wallet that has no guard yet. */
export const installCalldata = (session: Enabled): Hex =>
  `0x9517e29f${encodedMembers([word(1), word(session.guard), tailOfBytes(enabling(session))])}`

/** `revoke(bytes32)` of the guard. */
export const revokeCalldata = (permissionId: Bytes32): Hex => `0xb75c7dc6${digitsOf(permissionId)}`
