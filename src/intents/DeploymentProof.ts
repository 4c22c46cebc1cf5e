/** Whether a transaction made an intent's launch, and which project the launch created. */
import { Either } from "effect"
import type { RawLog } from "../chain/ChainClient.ts"
import type { SentTransaction, TracedCall } from "../chain/TraceReads.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { IntentCall, IntentDraft } from "./Intent.ts"
import { DeploymentUnproved } from "./refusals.ts"

const CREATED = keccak256Utf8("Create(uint256,address,address)")
const CREATE_FOR = keccak256Utf8("createFor(address)").slice(0, 10)
/** Hexadecimal digits of the sender that a forwarder appends. */
const SENDER_DIGITS = 40

const unproved = (reason: string) => new DeploymentUnproved({ context: { reason } })

export type DeploymentProved<A> = Either.Either<A, DeploymentUnproved>

/** The last call of a chain; those before it only create Safes. */
export const launchOn = (chainId: number, { deploymentCalls }: IntentDraft): IntentCall | undefined =>
  deploymentCalls.findLast(call => call.chainId === chainId)

const isWord = (data: Hex): boolean => data.length === 66

/** The id of the one project that these logs say was created. */
export const createdProject = (logs: ReadonlyArray<RawLog>, projects: Address): DeploymentProved<bigint> => {
  const emitter = projects.toLowerCase()
  const [created, another] = logs.filter(log => log.address === emitter && log.topics[0] === CREATED)
  if (created === undefined) return Either.left(unproved("the transaction created no project"))
  if (another !== undefined) return Either.left(unproved("the transaction created several projects"))
  const [, projectId] = created.topics
  return projectId === undefined || created.topics.length !== 3 || !isWord(created.data)
    ? Either.left(unproved("the creation of the project cannot be read"))
    : Either.right(BigInt(projectId))
}

/** The whole transaction is this very call: what happened in it happened in the launch. */
export const isLaunch = (
  { to, data }: IntentCall,
  sent: Pick<SentTransaction, "to" | "input"> | null
): boolean => sent !== null && sent.to === to && sent.input === data

export interface DeploymentContracts {
  readonly projects: Address
  readonly forwarders: ReadonlyArray<Address>
}

/** How a call is the launch: by itself, or with the sender that a forwarder has proved. */
const wayOf = (call: TracedCall, { to, data }: IntentCall, forwarders: ReadonlyArray<string>) => {
  if (call.kind !== "CALL" || call.undone || call.to !== to.toLowerCase()) return undefined
  if (call.input === data) return { forwarded: false }
  const isForwarded =
    forwarders.includes(call.from) &&
    call.input.length === data.length + SENDER_DIGITS &&
    call.input.startsWith(data)
  return isForwarded ? { forwarded: true } : undefined
}

const isCreation = (call: TracedCall, projects: string, projectId: bigint): boolean =>
  call.kind === "CALL" &&
  !call.undone &&
  call.to === projects &&
  call.input.startsWith(CREATE_FOR) &&
  isWord(call.output) &&
  BigInt(call.output) === projectId

/** A launch and a creation side by side prove nothing: the launch has to be what created the project. */
export const tracedLaunch = (
  launch: IntentCall,
  projectId: bigint,
  calls: ReadonlyArray<TracedCall>,
  { projects, forwarders }: DeploymentContracts
): DeploymentProved<{ readonly forwarded: boolean }> => {
  const lowered = forwarders.map(address => address.toLowerCase())
  let call = calls.find(each => isCreation(each, projects.toLowerCase(), projectId))
  for (; call !== undefined; call = call.within) {
    const way = wayOf(call, launch, lowered)
    if (way !== undefined) return Either.right(way)
  }
  return Either.left(unproved("the project was not created by the intent's launch on this chain"))
}
