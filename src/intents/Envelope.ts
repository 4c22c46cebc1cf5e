/** What an intent's hash and its publisher's signature are of: the draft in its one normal form. */
import { Either } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { CALLS_PER_CHAIN, type IntentCall, type IntentDraft } from "./Intent.ts"
import { staysWithin } from "./JsonExtent.ts"
import { IntentTooLarge, InvalidIntent } from "./refusals.ts"

export const ENVELOPE_BYTES = 1_048_576
const DOCUMENT_EXTENT = { depth: 64, nodes: 100_000 }

/** Safe 1.4.1's canonical proxy factory and its functions that create a Safe and call nobody else. */
const SAFE_FACTORY: Address = "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67"
const SAFE_CREATIONS = ["0x1688f0b9", "0xec9e80bb"]

export interface PreparedIntent {
  readonly envelope: IntentDraft
  /** The canonical JSON of the envelope. */
  readonly text: string
  readonly contentHash: Bytes32
  /** What the publisher signs as a personal message. */
  readonly message: string
}

interface Fault {
  readonly path: string
  readonly expected: string
}

const ascending = (a: number, b: number) => a - b

const isSafeCreation = ({ to, data }: IntentCall): boolean =>
  to === SAFE_FACTORY && SAFE_CREATIONS.includes(data.slice(0, 10))

const sequenceFault = (calls: ReadonlyArray<IntentCall>): string | undefined => {
  if (calls.length > CALLS_PER_CHAIN) return `${CALLS_PER_CHAIN} calls for a chain at most`
  const launch = calls.at(-1)
  if (launch === undefined) return "a call for every chain of chainIds"
  if (launch.to === SAFE_FACTORY) return "the launch as the last call of its chain"
  return calls.slice(0, -1).every(isSafeCreation)
    ? undefined
    : "before the launch only Safe creations by the canonical Safe 1.4.1 proxy factory"
}

const callsFault = ({ chainIds, deploymentCalls }: IntentDraft): Fault | undefined => {
  const path = "deploymentCalls"
  if (deploymentCalls.some(({ chainId }) => !chainIds.includes(chainId)))
    return { path, expected: "calls on chains of chainIds alone" }
  for (const chainId of chainIds) {
    const expected = sequenceFault(deploymentCalls.filter(call => call.chainId === chainId))
    if (expected !== undefined) return { path, expected }
  }
  return undefined
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

const declares = (declared: unknown, chainIds: ReadonlyArray<number>): boolean =>
  Array.isArray(declared) &&
  declared.length === chainIds.length &&
  chainIds.every(chainId => declared.includes(chainId))

const documentFault = ({ jb, chainIds }: IntentDraft): Fault | undefined => {
  const data = memberOf(jb, "data")
  const declared = [
    ["jb.chainIds", memberOf(jb, "chainIds")],
    ["jb.chains", memberOf(jb, "chains")],
    ["jb.data.chainIds", memberOf(data, "chainIds")],
    ["jb.data.chains", memberOf(data, "chains")]
  ] as const
  const other = declared.find(([, chains]) => chains !== undefined && !declares(chains, chainIds))
  return other && { path: other[0], expected: "the same chains as chainIds" }
}

const faultOf = (draft: IntentDraft): Fault | undefined => {
  if (new Set(draft.chainIds).size < draft.chainIds.length)
    return { path: "chainIds", expected: "each chain once" }
  if (!staysWithin(draft.jb, DOCUMENT_EXTENT))
    return { path: "jb", expected: "a depth of 64 and 100,000 values at most" }
  return callsFault(draft) ?? documentFault(draft)
}

const normalised = ({ format, deploymentVersion, chainIds, deploymentCalls, jb }: IntentDraft) => ({
  format,
  deploymentVersion,
  chainIds: chainIds.toSorted(ascending),
  deploymentCalls: deploymentCalls.toSorted((a, b) => a.chainId - b.chainId),
  jb
})

export const messageOf = (contentHash: Bytes32): string =>
  `Service project intent\nVersion: 1\nContent hash: ${contentHash}`

export const prepareEnvelope = (
  draft: IntentDraft
): Either.Either<PreparedIntent, InvalidIntent | IntentTooLarge> => {
  const fault = faultOf(draft)
  if (fault !== undefined) return Either.left(new InvalidIntent({ context: { ...fault } }))
  const envelope = normalised(draft)
  const text = canonicalJson(envelope)
  if (Buffer.byteLength(text) > ENVELOPE_BYTES)
    return Either.left(new IntentTooLarge({ context: { limit: "envelope", maximum: ENVELOPE_BYTES } }))
  const contentHash = keccak256Utf8(text)
  return Either.right({ envelope, text, contentHash, message: messageOf(contentHash) })
}
