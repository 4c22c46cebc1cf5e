/** Races for what a session's key signs: one operation of it is on its way, and nothing leaves after an end that was told. */
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { freshNonce } from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import { fromHex } from "../../../src/values/TypedDataHash.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { enableData } from "../../sessions/support/Guarded.ts"
import { sign } from "../../signatures/TestKeys.ts"
import { ownersDo } from "../../smartaccounts/support/Inspections.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import type { Signer } from "../../support/FastSign.ts"
import { PAYEE_OF_RIGHTS, paymentRights } from "../operating/Rights.ts"
import { signerOf } from "./Arena.ts"
import { isOk, type Kind, type Race, unless } from "./Kinds.ts"
import {
  asked,
  endedBy,
  inTurn,
  newcomer,
  onlyOneLeaves,
  operatingIn,
  type Prepared,
  planned,
  type Standing,
  sending,
  timesSent
} from "./OperationKinds.ts"
import { newKey, ready, registration } from "./Signed.ts"

export const SESSIONS = "/api/v1/smart-accounts/sessions"
const ME = "/api/v1/accounts/me"
const MONTH = 30 * 86_400
const TWINS = 20

export interface Session {
  readonly id: string
  readonly compiledHash: Hex
  readonly permissionId: Hex
  readonly encodedPolicy: Hex
}

export interface Live extends Standing, Pick<Session, "compiledHash" | "permissionId"> {
  readonly bot: Signer
  readonly session: string
}

interface Grant {
  readonly bot: Signer
  readonly grantId: string
}

/** So that it has begun for every bundler's clock. */
const PAST_SECONDS = 30

/** What the guard lets go at most, of which one operation may take so much. */
const TOTAL = "5000"

const inputFor = async (
  race: Race,
  { bindingId }: Standing,
  grantId: string,
  { generation, totalLimit }: { readonly generation: string; readonly totalLimit: string }
) => {
  const { chainUrl, deployed } = operatingIn(race)
  const sandbox = onSandbox(chainUrl, deployed)
  const { timestamp } = await sandbox.client.getBlock()
  return {
    bindingId,
    grantId,
    generation,
    nonce: freshNonce(realSystem),
    validAfter: Number(timestamp) - PAST_SECONDS,
    ...paymentRights({
      terminal: sandbox.at("JBMultiTerminal"),
      perCallLimit: BigInt(totalLimit) < 2_000n ? totalLimit : "2000",
      totalLimit
    })
  }
}

export const ownersOf = ({ owner, other }: Standing) =>
  [owner, other]
    .map(({ key }) => privateKeyToAccount(key.privateKey))
    .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

/** To a bot of the owner's, for longer than a session lasts. */
export const granted = async (race: Race, { owner }: Standing): Promise<Grant> => {
  const { key } = signerOf(`session key ${newKey()}`)
  const grantId = (await asked(race, registration(owner, key, MONTH), "a grant")).bot?.id ?? ""
  return { bot: { ...owner, key, grantId }, grantId }
}

/** Prepared, with no authority. */
export const proposed = async (
  race: Race,
  standing: Standing,
  { grantId }: Grant,
  generation = "1",
  totalLimit = TOTAL
): Promise<Session> => {
  const body = await inputFor(race, standing, grantId, { generation, totalLimit })
  const prepared = ready(standing.owner, { method: "POST", target: SESSIONS, key: newKey(), body })
  const { id = "", compiled } = await asked(race, prepared, "a session")
  if (compiled === undefined) throw new Error("a session says not what was compiled")
  return { id, ...compiled }
}

/** A wallet whose owners enabled a session of a bot's. */
export const live = async (race: Race, totalLimit = TOTAL): Promise<Live> => {
  const standing = await newcomer(race)
  const { owner, address } = standing
  const grant = await granted(race, standing)
  const { id, encodedPolicy, ...names } = await proposed(race, standing, grant, "1", totalLimit)
  const { chainUrl, deployed } = operatingIn(race)
  const data = enableData(encodedPolicy)
  const wallet = { address, threshold: 2 }
  await inTurn(() => ownersDo(onSandbox(chainUrl, deployed), wallet, data, ownersOf(standing), GUARD))
  const { state } = await asked(race, ready(owner, { method: "GET", target: `${SESSIONS}/${id}` }), "it")
  if (state !== "active") throw new Error(`a session is ${state}`)
  return { ...standing, ...names, bot: grant.bot, session: id }
}

/** As its key signs it. */
export const use = async (
  race: Race,
  one: Live,
  { by = one.bot, value = "1000" } = {}
): Promise<Prepared> => {
  const plan = await planned(race, one, by, value, PAYEE_OF_RIGHTS)
  const body = { planId: plan.id, stepIndexes: [0], sessionId: one.session }
  const request = ready(by, { method: "POST", target: "/api/v1/user-operations", key: newKey(), body })
  const { id = "", operationHash = "0x", signing } = await asked(race, request, "a use")
  if (signing?.scheme !== "eip191-session-operation")
    throw new Error("a session's operation says not what its key signs")
  const signature: Hex = `${signing.signaturePrefix}${sign(one.bot.key, fromHex(signing.digest)).slice(2)}`
  return { by, plan, operation: { id, operationHash }, signature }
}

/** E8: two operations of one session, one of the bot's and one of the owner's. */
const oneUse: Kind = async race => {
  const one = await live(race)
  const both = [await use(race, one), await use(race, one, { by: one.owner, value: "2000" })]
  return onlyOneLeaves(race, both, "one session")
}

/** E3: twenty equal submissions of a session's operation. */
const equalUses: Kind = async race => {
  const one = await use(race, await live(race))
  const key = newKey()
  const answers = await race.arena.contest(
    Array.from({ length: TWINS }, () => sending(one, key)),
    race.chance
  )
  const sent = timesSent(race, one)
  return unless(sent === 1 && answers.every(isOk), `twenty equal uses, ${sent} sent`, answers)
}

/** E7, E17: the grant is revoked meanwhile, of an operation of the bot's or of the owner's. */
const sessionGrantRevoked: Kind = async race => {
  const one = await live(race)
  const by = race.chance.below(2) === 0 ? one.bot : one.owner
  const operation = await use(race, one, { by })
  const end = ready(one.owner, { method: "DELETE", target: `${ME}/bots/${one.bot.grantId}` })
  return endedBy(race, operation, end, ["FORBIDDEN", "SESSION_NOT_ACTIVE"], "a revoked grant")
}

/** E7: the owner asks for the plan that revokes the session meanwhile. */
const sessionRevoked: Kind = async race => {
  const one = await live(race)
  const operation = await use(race, one)
  const body = { compiledHash: one.compiledHash }
  const target = `${SESSIONS}/${one.session}/revocation-plans`
  const end = ready(one.owner, { method: "POST", target, key: newKey(), body })
  const codes = ["SESSION_NOT_ACTIVE", "CONCURRENT_UPDATE"]
  return endedBy(race, operation, end, codes, "a revoked session")
}

export const SESSION_KINDS = {
  oneUse: { weight: 3, run: oneUse },
  equalUses: { weight: 1, run: equalUses },
  sessionGrantRevoked: { weight: 2, run: sessionGrantRevoked },
  sessionRevoked: { weight: 3, run: sessionRevoked }
}
