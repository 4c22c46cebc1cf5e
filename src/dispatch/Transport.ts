/** What each way of leaving decides by itself; what all of them share, from the claim to recovery, is this room's. */
import { Context, type Effect } from "effect"
import type { ChainSession, Receipt } from "../chain/ChainClient.ts"
import type { Forwarded } from "../effects/Forwarded.ts"
import type { Binding } from "../plans/Binding.ts"
import type { Call, ExecutionProof, Semantic, TransportName } from "../plans/Plan.ts"
import type { StepFacts } from "../plans/Step.ts"
import type { Evidence } from "../values/Evidence.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import type { DispatchOutcome } from "./DispatchLease.ts"
import type { AskTrace } from "./SharedTraces.ts"

/** What can be reserved but once. */
export interface Nonce {
  readonly scope: string
  readonly text: string
}

/** What a claim binds for good. */
export interface Bound {
  readonly transport: TransportName
  readonly hash: Bytes32
  readonly nonce: Nonce
  /** Further members of the claim's request: what is kept of it. */
  readonly kept: Readonly<Record<string, unknown>>
}

/** What was signed for a call, and the evidence that the plan was made by. */
export interface Candidate<Signed> {
  readonly call: Call
  readonly signed: Signed
  readonly evidence: Evidence
  /** What its bytes rest on was judged then; they alone can still free what is reserved for them. */
  readonly isAdmitted: boolean
}

/** A step that was admitted, as its plan was read. */
export interface AdmittedStanding {
  readonly planId: string
  readonly step: number
  /** The plan's wallet. */
  readonly account: Address
  /** The database's milliseconds when the plan was read. */
  readonly now: number
  readonly call: Call
  /** Of the plan. */
  readonly summary: unknown
  readonly facts: StepFacts
  readonly binding: Binding
}

/** Another request has the step's nonce: no transaction can carry it. */
export interface Superseded {
  readonly reason: string
  /** By a final block. */
  readonly isFinal: boolean
  /** Where no event says who has it: the reason once that was seen often enough. */
  readonly believedReason?: string
}

/** The node has its block's state no more, or does not tell its trace: what the same logs were judged to be before stands. */
interface Unread {
  readonly _tag: "Unread"
  readonly reason: string
  /** Without a judgement from before it is asked for again, until its block is final. */
  readonly isPassing?: boolean
  readonly proof?: ExecutionProof
}

export const STATE_UNAVAILABLE = "STATE_UNAVAILABLE"

/** What a transaction did of a step. */
export type TransactionProof =
  | (Pick<Receipt, "status" | "logs"> & {
      readonly _tag: "Proved"
      /** Where it is not the wallet's own. */
      readonly proof?: ExecutionProof
      readonly forwarded?: Forwarded
      /** Why the call failed, where its transaction did not fail with it. */
      readonly failure?: Semantic
    })
  /** It succeeded, but that the step's call did what it should is not proved. */
  | { readonly _tag: "Doubted"; readonly reason: string; readonly proof?: ExecutionProof }
  | Unread
  /** It carries nothing of the step. */
  | { readonly _tag: "Absent" }
  /** It is another request's with the same nonce; once its block is final, that is told by another reason. */
  | { readonly _tag: "Superseded"; readonly reason: string; readonly finalReason: string }

/** How steps are followed once they were admitted. */
export interface Tracking {
  /** The transactions that carry them on one chain, in their order; undefined where none is known. */
  readonly locate: (
    chainId: number,
    steps: ReadonlyArray<AdmittedStanding>
  ) => Effect.Effect<ReadonlyArray<Bytes32 | Superseded | undefined>, AnyRefusal>
  /** The nonce of the plan's wallet that the binding takes, where it takes one: spent by another transaction, it ends the binding. */
  readonly walletNonce: (binding: Binding) => bigint | undefined
  /** By the transaction's receipt, by reads of its block, which join those beside it, and where these do not tell by its trace; whether the block is canonical is looked at meanwhile. */
  readonly prove: (
    session: ChainSession,
    step: AdmittedStanding,
    receipt: Receipt,
    trace: AskTrace
  ) => Effect.Effect<TransactionProof, AnyRefusal>
}

/** Those whose steps are followed, by their names; steps of others stay as they are. */
export class Transports extends Context.Tag("dispatch/Transports")<
  Transports,
  Readonly<Partial<Record<TransportName, Tracking>>>
>() {}

/** `Seen` is what was seen of the chain that it leaves for, on one endpoint. */
export interface Transport<Signed, Seen> extends Tracking {
  readonly name: TransportName
  /** What was signed. */
  readonly parse: (given: string) => Effect.Effect<Signed, AnyRefusal, unknown>
  /** That it is exactly the planned call. */
  readonly match: (signed: Signed, call: Call, wallet: Address) => Effect.Effect<void, AnyRefusal, unknown>
  /** That it may go, at one head. */
  readonly preflight: (seen: Seen, candidate: Candidate<Signed>) => Effect.Effect<void, AnyRefusal, unknown>
  /** What its claim binds and reserves. */
  readonly claim: (signed: Signed) => Bound
  /** The one call that leaves, and whether it arrived. */
  readonly send: (session: ChainSession, signed: Signed) => Effect.Effect<DispatchOutcome>
}
