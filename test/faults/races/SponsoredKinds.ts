/** Races for what leaves through a provider: one of each contest leaves, once, and nobody else's bytes do. */
import type { Hex } from "viem"
import { freshNonce } from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { executeCalldata, forwardRequestDigest } from "../../../src/values/ForwardRequest.ts"
import { fromHex, sponsorshipApprovalDigest } from "../../../src/values/TypedDataHash.ts"
import { submissionHash } from "../../../src/values/TypedDataSubmission.ts"
import { sign } from "../../signatures/TestKeys.ts"
import type { Signer } from "../../support/FastSign.ts"
import { INSTANT_CHAIN } from "../../support/InstantForwarder.ts"
import { signerOf } from "./Arena.ts"
import type { Answer } from "./Asking.ts"
import { creation, isOk, type Kind, type Race, refusedOnlyBy, submission, unless } from "./Kinds.ts"
import { AUDIENCE, hashOf, newKey, type Ready, ready, registration, transactionFor } from "./Signed.ts"

const ME = "/api/v1/accounts/me"
const TWINS = 20

/** A wallet of its own for each race: a nonce of the forwarder that has left is taken for good. */
export const newcomer = async ({ arena, chance }: Race): Promise<Signer> => {
  const owner = signerOf(`sponsored ${newKey()}`)
  const request = ready(owner, { method: "POST", target: "/api/v1/accounts/enroll", body: {} })
  const { status, code } = await arena.ask(request, chance.below(3))
  if (status !== 200) throw new Error(`an account was not enrolled: ${status} ${code}`)
  return owner
}

export interface Prepared {
  readonly owner: Signer
  readonly by: Signer
  readonly plan: { readonly id: string; readonly calls: NonNullable<Answer["body"]["calls"]> }
  readonly sponsorship: Pick<Sponsorship, "id" | "commitment" | "authorizations">
  readonly signatures: ReadonlyArray<Hex>
  /** What leaves when it is published. */
  readonly data: string
}

export const sponsored = async (
  { arena, chance }: Race,
  owner: Signer,
  { by = owner, value = "1000" } = {}
): Promise<Prepared> => {
  const made = await arena.ask(creation(owner, { by, value, chainId: INSTANT_CHAIN }), chance.below(3))
  const { id, calls } = made.body
  if (id === undefined || calls === undefined)
    throw new Error(`a plan was refused: ${made.status} ${made.code}`)
  const target = "/api/v1/sponsorships"
  const asked = ready(by, { method: "POST", target, key: newKey(), body: { planId: id } })
  const { status, code, body } = await arena.ask(asked, chance.below(3))
  const { id: sponsorshipId, commitment, authorizations } = body
  if (sponsorshipId === undefined || commitment === undefined || authorizations === undefined)
    throw new Error(`a sponsorship was refused: ${status} ${code}`)
  const signatures = authorizations.map(({ domain, message }) =>
    sign(owner.key, fromHex(forwardRequestDigest(domain, message)))
  )
  const [first] = authorizations
  const data = first === undefined ? "" : executeCalldata(first.message, signatures[0] ?? "0x")
  const sponsorship = { id: sponsorshipId, commitment, authorizations }
  return { owner, by, plan: { id, calls }, sponsorship, signatures, data }
}

export const publication = (
  { by, sponsorship: { id }, signatures }: Prepared,
  key = newKey(),
  approval = {}
): Ready =>
  ready(by, {
    method: "POST",
    target: `/api/v1/sponsorships/${id}/submissions`,
    key,
    body: { signatures, ...approval }
  })

export const timesPublished = ({ arena }: Pick<Race, "arena">, { data }: Prepared): number =>
  arena.sponsoring.provider.timesSent(data)

const taken = (answers: ReadonlyArray<Answer>): number => answers.filter(isOk).length

/** E2: one step by the wallet's own transaction and by a provider. */
const twoTransports: Kind = async race => {
  const { arena, chance } = race
  const prepared = await sponsored(race, await newcomer(race))
  const { owner, plan } = prepared
  const [call] = plan.calls
  if (call === undefined) throw new Error("the plan has no call")
  const raw = transactionFor(owner, call, 0)
  const requests = [submission(owner, plan, raw), publication(prepared), submission(owner, plan, raw)]
  const answers = await arena.contest(chance.happens(0.5) ? requests : requests.toReversed(), chance)
  const direct = arena.sponsoring.node.arrived.get(hashOf(raw))?.times ?? 0
  const published = timesPublished(race, prepared)
  const codes = ["TRANSPORT_CONFLICT", "STEP_ALREADY_BOUND"]
  const holds = direct + published === 1 && refusedOnlyBy(answers, codes) && taken(answers) === 1 + direct
  return unless(holds, `two transports, ${direct} and ${published} sent`, answers)
}

/** E1: one sponsorship under several keys. */
const twoKeys: Kind = async race => {
  const prepared = await sponsored(race, await newcomer(race))
  const requests = [publication(prepared), publication(prepared), publication(prepared)]
  const answers = await race.arena.contest(requests, race.chance)
  const published = timesPublished(race, prepared)
  const codes = ["SPONSORSHIP_CONFLICT", "STEP_ALREADY_BOUND"]
  const holds = published === 1 && taken(answers) === 1 && refusedOnlyBy(answers, codes)
  return unless(holds, `several keys, ${published} sent`, answers)
}

/** E5: two requests with one nonce of the forwarder. */
const oneForwarderNonce: Kind = async race => {
  const owner = await newcomer(race)
  const both = [await sponsored(race, owner), await sponsored(race, owner, { value: "2000" })]
  const answers = await race.arena.contest(
    both.map(prepared => publication(prepared)),
    race.chance
  )
  const published = both.reduce((sum, prepared) => sum + timesPublished(race, prepared), 0)
  const holds = published === 1 && taken(answers) === 1 && refusedOnlyBy(answers, ["FORWARD_NONCE_RESERVED"])
  return unless(holds, `one nonce, ${published} sent`, answers)
}

const approvalOf = ({ owner, sponsorship, signatures }: Prepared, grantId: string) => {
  const { id, commitment } = sponsorship
  const hash = submissionHash(commitment, signatures)
  if (hash._tag === "None") throw new Error("the signatures have no hash")
  const issuedAt = Math.floor(Date.now() / 1000)
  const approval = {
    accountId: owner.accountId,
    principalId: `bot:${grantId}`,
    sponsorshipId: id,
    commitment,
    submissionHash: hash.value,
    issuedAt,
    expiresAt: issuedAt + 120,
    nonce: freshNonce(realSystem)
  }
  const digest = sponsorshipApprovalDigest(AUDIENCE, owner.chainId, approval)
  return { ownerApproval: { ...approval, signature: sign(owner.key, digest) } }
}

/** E17: either the claim was first, and the requests leave, or the revocation was, and they do not. */
const grantRevoked: Kind = async race => {
  const { arena, chance } = race
  const owner = await newcomer(race)
  const { key } = signerOf(`bot ${newKey()}`)
  const grantId = (await arena.ask(registration(owner, key), chance.below(3))).body.bot?.id ?? ""
  const prepared = await sponsored(race, owner, { by: { ...owner, key, grantId } })
  const approval = approvalOf(prepared, grantId)
  const sameKey = newKey()
  const answers = await arena.contest(
    [
      publication(prepared, sameKey, approval),
      ready(owner, { method: "DELETE", target: `${ME}/bots/${grantId}` }),
      publication(prepared, sameKey, approval)
    ],
    chance
  )
  const attempts = answers.filter((_, index) => index !== 1)
  const published = timesPublished(race, prepared)
  const isSettled = attempts.some(isOk) ? published === 1 : published === 0
  const holds = answers[1]?.status === 200 && isSettled && refusedOnlyBy(attempts, ["FORBIDDEN"])
  return unless(holds, `a revocation, ${published} sent`, answers)
}

/** E1: twenty equal submissions. */
const equalSubmissions: Kind = async race => {
  const prepared = await sponsored(race, await newcomer(race))
  const key = newKey()
  const requests = Array.from({ length: TWINS }, () => publication(prepared, key))
  const answers = await race.arena.contest(requests, race.chance)
  const published = timesPublished(race, prepared)
  const fresh = answers.filter(answer => isOk(answer) && !answer.isReplayed).length
  const holds = published === 1 && fresh === 1 && taken(answers) === TWINS
  return unless(holds, `twenty equal ones, ${published} sent`, answers)
}

export const SPONSORED_KINDS = {
  twoTransports: { weight: 4, run: twoTransports },
  twoKeys: { weight: 2, run: twoKeys },
  oneForwarderNonce: { weight: 2, run: oneForwarderNonce },
  grantRevoked: { weight: 2, run: grantRevoked },
  equalSubmissions: { weight: 1, run: equalSubmissions }
}
