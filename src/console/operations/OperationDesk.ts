/** One operation of a wallet as its page has it: read with its plan, computed anew, signed by owners and sent once. */
import { numberToHex } from "viem"
import { checkOperationOfSession } from "../../client/CheckSessionOperation.ts"
import { checkUserOperation } from "../../client/CheckUserOperation.ts"
import type { Client } from "../../client/Client.ts"
import { committedFor } from "../../client/Commitment.ts"
import { AlteredPlan, ServiceProblem } from "../../client/Errors.ts"
import { ownersPart } from "../../client/OwnerSigning.ts"
import type { Plan } from "../../plans/Plan.ts"
import { reviewAction } from "../../review/ActionReview.ts"
import { chainNames } from "../../review/ChainName.ts"
import { contractsOf } from "../../review/GatherFacts.ts"
import { type ActionRequest, actionRequest } from "../../review/OwnerRequest.ts"
import { type ReviewRow, row, toned, words } from "../../review/Words.ts"
import type { PublicSession } from "../../sessions/Session.ts"
import type { SmartAccountCapabilities } from "../../smartaccounts/SmartAccount.ts"
import type { PublicUserOperation } from "../../useroperations/PublicUserOperation.ts"
import { type OwnerPart, ownerEnvelope } from "../../values/OwnerEnvelope.ts"
import type { Seat } from "../app/Seat.ts"
import type { AskingFor } from "../Desk.ts"
import { lookAtWallet } from "../owners/LookAtWallet.ts"
import { whyEnded } from "./OperationWords.ts"

export interface CheckedOperation {
  readonly operation: PublicUserOperation
  readonly plan: Plan
  /** Computed here from the record. */
  readonly request: ActionRequest
  readonly review: ReturnType<typeof reviewAction>
  /** Who prepared it, as the commitments prove; undefined where they fit nobody. */
  readonly principal: string | undefined
  /** What is not as it is computed here: nothing is offered then. */
  readonly dangers: ReadonlyArray<string>
}

const WHY_OWNER = row(
  "why the wallet",
  words("this tab did not prepare it, and the service shows it to its owner and to who prepared it alone")
)
const WHY_BOTS = row("why", words("it is not one of your own, so your bots are looked up"))

const WHY_SESSION = row("why", words("a session's key signs it, so it is held against the session's policy"))

const WAIT_SECONDS = 10

const BOTS =
  "A bot prepared it, so the bot sends it: have the owners sign it here, and give the bot their signatures."

const isAbsent = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.code === "USER_OPERATION_NOT_FOUND"

const VALIDATOR_BITS = 96n

/** By whom it is checked, and how long it holds: a session's is the validator of its nonce. */
const termsOf = (record: PublicUserOperation) => {
  const { signing, operation, expiresAt } = record
  if (signing.scheme === "eip712-safe-operation") {
    const { validAfter, validUntil, typedData } = signing
    return { adapter: typedData.domain.verifyingContract, validAfter, validUntil }
  }
  const adapter = numberToHex(BigInt(operation.nonce) >> VALIDATOR_BITS, { size: 20 })
  return { adapter, validAfter: 0, validUntil: Math.floor(expiresAt / 1000) }
}

const requestOf = (record: PublicUserOperation, { calls }: Plan): ActionRequest => {
  const { chainId, entryPoint, stepIndexes, operation, signing } = record
  const made = stepIndexes.flatMap(index => calls[index] ?? [])
  const request = actionRequest({ chainId, entryPoint, operation, ...termsOf(record) }, made)
  return signing.scheme === "eip712-safe-operation" ? request : { ...request, digest: signing.digest }
}

export class OperationDesk {
  readonly #seat: Seat
  readonly #id: string
  #plan: Plan | undefined
  #bots: ReadonlyArray<string> = []
  #principal: string | undefined
  #first: string | undefined
  #kinds: SmartAccountCapabilities | undefined
  #session: PublicSession | undefined
  readonly #key = crypto.randomUUID()

  constructor(seat: Seat, id: string) {
    this.#seat = seat
    this.#id = id
  }

  nowMillis(): number {
    return this.#seat.desk.owner.clock.seconds() * 1000
  }

  /** Who may read it without a question; undefined where only the wallet may ask. */
  get silentReader(): Client | undefined {
    const { grant } = this.#seat.desk
    return grant !== undefined && grant.client.principalId === this.#principal ? grant.client : undefined
  }

  async read(): Promise<CheckedOperation> {
    const { reader, operation } = await this.#find()
    this.#plan ??= await reader.plans.show(operation.planId)
    return this.#checked(operation, this.#plan)
  }

  /** Answered once it changed, or in time; by the tab alone. */
  async follow(before: CheckedOperation): Promise<CheckedOperation> {
    const reader = this.silentReader
    if (reader === undefined) return before
    const since = before.operation.revision
    return this.#checked(
      await reader.userOperations.show(this.#id, { wait: WAIT_SECONDS, since }),
      before.plan
    )
  }

  /** Why nothing is to be signed or sent here. */
  obstacle({ principal, dangers, operation }: CheckedOperation): string | undefined {
    const { owner, grant } = this.#seat.desk
    if (dangers.length > 0) return "Nothing of it is to be signed."
    const ended = whyEnded(operation, this.nowMillis())
    if (ended !== undefined) return ended
    return principal === owner.principalId || principal === grant?.client.principalId ? undefined : BOTS
  }

  /** Whether owners may still sign it, for whoever sends it. */
  isOpen(checked: CheckedOperation): boolean {
    const obstacle = this.obstacle(checked)
    return obstacle === undefined || obstacle === BOTS
  }

  /** What is submitted, of as many owners as it takes. */
  envelope({ operation }: CheckedOperation, parts: ReadonlyArray<OwnerPart>): `0x${string}` {
    const signing = ownersPart(operation)
    return ownerEnvelope(signing, parts.slice(0, signing.threshold))
  }

  about({ review, operation }: CheckedOperation): ReadonlyArray<ReviewRow> {
    return [
      toned("sentence", row("does", ...review.sentence)),
      row("steps", words(operation.stepIndexes.join(", ")))
    ]
  }

  /** Once, and never again: the same signatures go with the same key. */
  async send(checked: CheckedOperation, parts: ReadonlyArray<OwnerPart>): Promise<CheckedOperation> {
    const { desk } = this.#seat
    const { operation, plan, principal } = checked
    const { grant } = desk
    const isOfTab = principal === grant?.client.principalId
    const signature = this.envelope(checked, parts)
    const submit = ({ owner, client }: AskingFor) =>
      (isOfTab ? client : owner).userOperations.submit(
        operation.id,
        { signature },
        { idempotencyKey: this.#key }
      )
    const answer = await desk.about(this.about(checked), submit)
    return this.#checked(answer.operation, plan)
  }

  async #find(): Promise<{ readonly reader: Client; readonly operation: PublicUserOperation }> {
    const { desk } = this.#seat
    const { grant, owner } = desk
    const read = async (reader: Client) => ({ reader, operation: await reader.userOperations.show(this.#id) })
    const isOwn = this.#principal === undefined || this.silentReader !== undefined
    if (grant !== undefined && isOwn)
      try {
        return await read(grant.client)
      } catch (failure) {
        if (!isAbsent(failure)) throw failure
      }
    return grant === undefined ? read(owner) : desk.about([WHY_OWNER], asking => read(asking.owner))
  }

  async #principalOf(plan: Plan): Promise<string | undefined> {
    const { desk } = this.#seat
    const { owner, grant } = desk
    const known = [owner.principalId, ...(grant === undefined ? [] : [grant.client.principalId])]
    const found = await committedFor(plan, owner.account, [...known, ...this.#bots])
    if (found !== undefined || this.#bots.length > 0) return found
    const bots = await desk.about([WHY_BOTS], asking => asking.owner.bots.list())
    this.#bots = bots.map(({ id }) => `bot:${id}`)
    return committedFor(plan, owner.account, this.#bots)
  }

  /** Asked for once, so that nothing is asked after the sending. */
  async #kindsOfWallets(): Promise<SmartAccountCapabilities> {
    this.#kinds ??= await this.#seat.desk.client.smartAccounts.capabilities()
    return this.#kinds
  }

  /** By whose policy it is held. */
  async #sessionOf({ session }: PublicUserOperation): Promise<PublicSession | undefined> {
    const { desk } = this.#seat
    if (session === undefined) return undefined
    this.#session ??= await desk.about([WHY_SESSION], ({ owner }) =>
      owner.sessions.show(session.id, { refresh: false })
    )
    return this.#session
  }

  async #altered(plan: Plan, operation: PublicUserOperation): Promise<ReadonlyArray<string>> {
    const { account, catalog, clock } = this.#seat.desk.client
    const smartAccounts = { capabilities: () => this.#kindsOfWallets() }
    const client = { account, principalId: this.#principal ?? "", catalog, clock, smartAccounts }
    if (operation.id !== this.#id) return ["It is another operation than the one that was asked for."]
    if ((this.#first ?? operation.commitment) !== operation.commitment)
      return ["Its commitment is another than when this page first showed it."]
    try {
      const about = { client, plan, operation }
      const session = await this.#sessionOf(operation)
      await (session === undefined
        ? checkUserOperation(about)
        : checkOperationOfSession({ ...about, session }))
      return []
    } catch (failure) {
      if (failure instanceof AlteredPlan) return [failure.message]
      throw failure
    }
  }

  /** By the node of the connected wallet, where it is on the chain. */
  async #unlikeChain(prepared: PublicUserOperation): Promise<ReadonlyArray<string>> {
    const { operation, chainId } = prepared
    const signing = ownersPart(prepared)
    const looked = await lookAtWallet(this.#seat.desk.provider, { chainId, address: operation.sender })
    if (looked === undefined) return []
    const isOwners =
      looked.threshold === signing.threshold &&
      looked.owners.length === signing.owners.length &&
      signing.owners.every(owner => looked.owners.includes(owner))
    return [
      ...(isOwners ? [] : ["The wallet has other owners now than those who are asked to sign."]),
      ...(looked.adapter === signing.typedData.domain.verifyingContract
        ? []
        : ["The wallet's operations are checked by another contract than the one that is signed for."])
    ]
  }

  async #checked(operation: PublicUserOperation, plan: Plan): Promise<CheckedOperation> {
    const { desk, capabilities } = this.#seat
    this.#principal ??= await this.#principalOf(plan)
    const request = requestOf(operation, plan)
    const contracts = await contractsOf(desk.owner.catalog, request)
    const review = reviewAction(request, {
      contracts,
      chains: chainNames(capabilities),
      isDone: operation.state === "confirmed"
    })
    const isOpen = operation.state === "prepared" && operation.session === undefined
    const dangers = [
      ...(await this.#altered(plan, operation)),
      ...review.dangers,
      ...(isOpen ? await this.#unlikeChain(operation) : [])
    ]
    this.#first ??= operation.commitment
    return { operation, plan, request, review, principal: this.#principal, dangers }
  }
}
