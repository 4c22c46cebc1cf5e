/** Drafts of intents and what their publishers sign, apart from the service's own hashing. */
import { keccak256, stringToBytes } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"

export const TARGET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
export const SAFE_FACTORY = "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67"

export interface DraftCall {
  readonly chainId: number
  readonly to: string
  readonly data: string
}

export interface Draft {
  readonly format: string
  readonly deploymentVersion: string
  readonly chainIds: ReadonlyArray<number>
  readonly deploymentCalls: ReadonlyArray<DraftCall>
  readonly jb: Readonly<Record<string, unknown>>
}

export const callOn = (chainId: number, over: Partial<DraftCall> = {}): DraftCall => ({
  chainId,
  to: TARGET,
  data: "0xd0e30db0",
  ...over
})

export const draftOf = (over: Partial<Draft> = {}): Draft => ({
  format: "app.example/1",
  deploymentVersion: "6",
  chainIds: [1, 10],
  deploymentCalls: [callOn(1), callOn(10)],
  jb: { name: "Bread for all" },
  ...over
})

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]))
}

/** For drafts that are in their normal form already and have no keys that look like numbers. */
export const hashOf = (draft: Draft) => keccak256(stringToBytes(JSON.stringify(sorted(draft))))

export const messageFor = (contentHash: string): string =>
  ["Service project intent", "Version: 1", `Content hash: ${contentHash}`].join("\n")

export const signedBy = async (key: PrivateKeyAccount, envelope: Draft) => ({
  envelope,
  publisher: key.address,
  signature: await key.signMessage({ message: messageFor(hashOf(envelope)) })
})
