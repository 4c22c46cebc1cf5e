/** Races for what leaves through a bundler: one of each contest leaves, once, and nothing after an end that was told. */
import { concatHex, type Hex } from "viem"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { freshNonce } from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import { ownerEnvelope } from "../../../src/values/OwnerEnvelope.ts"
import { fromHex } from "../../../src/values/TypedDataHash.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { sign } from "../../signatures/TestKeys.ts"
import { createWallet } from "../../smartaccounts/support/Wallets.ts"
import type { Signer } from "../../support/FastSign.ts"
import { signerOf } from "./Arena.ts"
import type { Answer } from "./Asking.ts"
import { isOk, type Kind, type Race, refusedOnlyBy, unless } from "./Kinds.ts"
import { newKey, type Ready, ready, registration } from "./Signed.ts"

const ME = "/api/v1/accounts/me"
const BINDINGS = "/api/v1/smart-accounts/bindings"
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const TWINS = 20

const manifest = localManifest()

/** A wallet of two owners, of whom each has an account. */
export interface Standing {
  readonly owner: Signer
  readonly other: Signer
  readonly address: Hex
  readonly bindingId: string
}

export const asked = async (
  { arena, chance }: Race,
  request: Ready,
  what: string
): Promise<Answer["body"]> => {
  const { status, code, body } = await arena.ask(request, chance.below(3))
  if (status >= 300) throw new Error(`${what} was refused: ${status} ${code}`)
  return body
}

export const operatingIn = ({ arena }: Pick<Race, "arena">) => {
  if (arena.operating === undefined) throw new Error("no wallet acts in this arena")
  return arena.operating
}

let creating: Promise<unknown> = Promise.resolve()

/** One after the other, for one sender sends all of it. */
export const inTurn = <A>(act: () => Promise<A>): Promise<A> => {
  const next = creating.then(act)
  creating = next.catch(() => {})
  return next
}

const ordered = (signers: ReadonlyArray<Signer>) =>
  [...signers].sort((a, b) => (a.key.address < b.key.address ? -1 : 1))

const signedBy = (signers: ReadonlyArray<Signer>, digest: Hex) =>
  ordered(signers).map(({ key }) => ({ signer: key.address, signature: sign(key, fromHex(digest)) }))

const bound = async (
  race: Race,
  by: Signer,
  signers: ReadonlyArray<Signer>,
  address: Hex
): Promise<string> => {
  const challenge = {
    manifestId: manifest.id,
    address,
    nonce: freshNonce(realSystem),
    expiresAt: Math.floor(Date.now() / 1000) + 600
  }
  const target = "/api/v1/smart-accounts/binding-challenges"
  const { stateHash, digest } = await asked(
    race,
    ready(by, { method: "POST", target, body: challenge }),
    "a challenge"
  )
  const signature = concatHex(signedBy(signers, digest ?? "0x").map(part => part.signature))
  const body = { ...challenge, stateHash, signature }
  return (await asked(race, ready(by, { method: "POST", target: BINDINGS, body }), "a binding")).id ?? ""
}

const enrolled = async (race: Race, label: string): Promise<Signer> => {
  const signer = signerOf(label, 31_337)
  await asked(
    race,
    ready(signer, { method: "POST", target: "/api/v1/accounts/enroll", body: {} }),
    "an account"
  )
  return signer
}

/** A wallet of its own for each race, for what is sent of one moves its nonce. */
export const newcomer = async (race: Race): Promise<Standing> => {
  const { chainUrl, deployed } = operatingIn(race)
  const label = `operated ${newKey()}`
  const [owner, other] = [await enrolled(race, label), await enrolled(race, `${label}, too`)]
  const owners = ordered([owner, other]).map(({ key }) => checksummed(key.address))
  const sandbox = { ...onSandbox(chainUrl, deployed), stop: () => Promise.resolve() }
  const { address } = await inTurn(() =>
    createWallet(sandbox, { owners, saltNonce: BigInt(owner.key.address) })
  )
  return { owner, other, address, bindingId: await bound(race, owner, [owner, other], address) }
}

export interface Prepared {
  readonly by: Signer
  readonly plan: Pick<Plan, "id">
  readonly operation: Pick<PublicUserOperation, "id" | "operationHash">
  readonly signature: Hex
}

export const planned = async (
  race: Race,
  { address, bindingId }: Pick<Standing, "address" | "bindingId">,
  by: Signer,
  value = "1000",
  beneficiary = address
): Promise<Pick<Plan, "id">> => {
  const { deployed } = operatingIn(race)
  const { contractId } = deployed.deployments.find(one => one.contractId.endsWith(":JBMultiTerminal")) ?? {}
  const call = {
    chainId: 31_337,
    contractId,
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: ["2", NATIVE_TOKEN, value, beneficiary, "0", "", "0x"],
    value
  }
  const body = { operation: "contract_calls", input: { account: address, calls: [call] } }
  const target = `${BINDINGS}/${bindingId}/plans`
  const { id = "" } = await asked(race, ready(by, { method: "POST", target, key: newKey(), body }), "a plan")
  return { id }
}

export const prepared = async (
  race: Race,
  { owner, other }: Standing,
  plan: Pick<Plan, "id">,
  by: Signer
): Promise<Prepared> => {
  const body = { planId: plan.id, stepIndexes: [0] }
  const request = ready(by, { method: "POST", target: "/api/v1/user-operations", key: newKey(), body })
  const { id = "", operationHash = "0x", signing } = await asked(race, request, "an operation")
  if (signing?.scheme !== "eip712-safe-operation")
    throw new Error("an operation says not what its owners sign of it")
  const signature = ownerEnvelope(signing, signedBy([owner, other], signing.digest))
  return { by, plan, operation: { id, operationHash }, signature }
}

const operated = async (race: Race, standing: Standing, { by = standing.owner, value = "1000" } = {}) =>
  prepared(race, standing, await planned(race, standing, by, value), by)

export const sending = ({ by, operation: { id }, signature }: Prepared, key = newKey()): Ready =>
  ready(by, { method: "POST", target: `/api/v1/user-operations/${id}/submissions`, key, body: { signature } })

export const timesSent = (race: Pick<Race, "arena">, { operation }: Prepared): number =>
  operatingIn(race).bundler.timesSent(operation.operationHash)

const taken = (answers: ReadonlyArray<Answer>): number => answers.filter(isOk).length

const OVERTAKEN = ["USER_OPERATION_CONFLICT", "USER_OPERATION_NONCE_CHANGED", "STEP_ALREADY_BOUND"]
const BESIDE = ["USER_OPERATION_NONCE_RESERVED", "USER_OPERATION_NONCE_CHANGED", "STEP_ALREADY_BOUND"]

/** E3: twenty equal submissions. */
const equalSendings: Kind = async race => {
  const one = await operated(race, await newcomer(race))
  const key = newKey()
  const answers = await race.arena.contest(
    Array.from({ length: TWINS }, () => sending(one, key)),
    race.chance
  )
  const sent = timesSent(race, one)
  const fresh = answers.filter(answer => isOk(answer) && !answer.isReplayed).length
  return unless(
    sent === 1 && fresh === 1 && taken(answers) === TWINS,
    `twenty equal ones, ${sent} sent`,
    answers
  )
}

/** E3: one operation under several keys. */
const twoSendKeys: Kind = async race => {
  const one = await operated(race, await newcomer(race))
  const answers = await race.arena.contest([sending(one), sending(one), sending(one)], race.chance)
  const sent = timesSent(race, one)
  const holds = sent === 1 && taken(answers) === 1 && refusedOnlyBy(answers, OVERTAKEN)
  return unless(holds, `several keys, ${sent} sent`, answers)
}

export const onlyOneLeaves = async (
  race: Race,
  both: ReadonlyArray<Prepared>,
  what: string,
  codes: ReadonlyArray<string> = []
) => {
  const answers = await race.arena.contest(
    both.map(one => sending(one)),
    race.chance
  )
  const sent = both.reduce((sum, one) => sum + timesSent(race, one), 0)
  const holds = sent === 1 && taken(answers) === 1 && refusedOnlyBy(answers, [...BESIDE, ...codes])
  return unless(holds, `${what}, ${sent} sent`, answers)
}

/** E6: two plans' operations with one nonce of the wallet. */
const oneOperationNonce: Kind = async race => {
  const standing = await newcomer(race)
  const both = [await operated(race, standing), await operated(race, standing, { value: "2000" })]
  return onlyOneLeaves(race, both, "one nonce")
}

/** E6: the operations of two accounts that the wallet is bound to. */
const twoAccounts: Kind = async race => {
  const standing = await newcomer(race)
  const { owner, other, address } = standing
  const theirs = { ...standing, bindingId: await bound(race, other, [owner, other], address) }
  const both = [await operated(race, standing), await operated(race, theirs, { by: other, value: "2000" })]
  return onlyOneLeaves(race, both, "two accounts")
}

/** Either the claim was first, and the operation leaves, or what ends its right was, and it does not. */
export const endedBy = async (
  race: Race,
  one: Prepared,
  end: Ready,
  codes: ReadonlyArray<string>,
  what: string
) => {
  const key = newKey()
  const answers = await race.arena.contest([sending(one, key), end, sending(one, key)], race.chance)
  const attempts = answers.filter((_, index) => index !== 1)
  const sent = timesSent(race, one)
  const isSettled = attempts.some(isOk) ? sent === 1 : sent === 0
  const holds = (answers[1]?.status ?? 500) < 300 && isSettled && refusedOnlyBy(attempts, codes)
  return unless(holds, `${what}, ${sent} sent`, answers)
}

/** E17: a grant that is revoked meanwhile. */
const grantRevoked: Kind = async race => {
  const standing = await newcomer(race)
  const { owner } = standing
  const { key } = signerOf(`bot ${newKey()}`)
  const grantId = (await asked(race, registration(owner, key), "a grant")).bot?.id ?? ""
  const one = await operated(race, standing, { by: { ...owner, key, grantId } })
  const end = ready(owner, { method: "DELETE", target: `${ME}/bots/${grantId}` })
  return endedBy(race, one, end, ["FORBIDDEN"], "a revocation")
}

/** E17: a wallet that is unlinked meanwhile. */
const walletUnlinked: Kind = async race => {
  const standing = await newcomer(race)
  const one = await operated(race, standing)
  const end = ready(standing.owner, { method: "DELETE", target: `${BINDINGS}/${standing.bindingId}` })
  return endedBy(race, one, end, ["SMART_ACCOUNT_CHANGED"], "an unlinking")
}

export const OPERATION_KINDS = {
  equalSendings: { weight: 1, run: equalSendings },
  twoSendKeys: { weight: 2, run: twoSendKeys },
  oneOperationNonce: { weight: 3, run: oneOperationNonce },
  twoAccounts: { weight: 3, run: twoAccounts },
  operatingGrantRevoked: { weight: 2, run: grantRevoked },
  walletUnlinked: { weight: 2, run: walletUnlinked }
}
