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

const SESSIONS = "/api/v1/smart-accounts/sessions"
const ME = "/api/v1/accounts/me"
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const BENEFICIARY = "0x00000000000000000000000000000000000000b0"
const MONTH = 30 * 86_400
const TWINS = 20

const GAS_BUDGET = {
  paymaster: null,
  paymasterDataLength: 0,
  maxGasPerOperation: "3000000",
  maxFeePerGas: "50000000000",
  maxPriorityFeePerGas: "5000000000",
  totalGasLimit: "30000000",
  totalCostLimit: "1500000000000000000"
}

interface Live extends Standing {
  readonly bot: Signer
  readonly session: string
  readonly compiledHash: Hex
}

const inputFor = async (race: Race, { bindingId }: Standing, grantId: string) => {
  const { chainUrl, deployed } = operatingIn(race)
  const sandbox = onSandbox(chainUrl, deployed)
  const { timestamp } = await sandbox.client.getBlock()
  const limit = "5000"
  return {
    bindingId,
    grantId,
    generation: "1",
    nonce: freshNonce(realSystem),
    validAfter: Number(timestamp) - 30,
    durationDays: 7,
    maximumCalls: 100,
    gasBudget: GAS_BUDGET,
    allocations: [
      {
        id: "all",
        total: limit,
        allocations: [{ id: "tips", chainId: 31_337, asset: NATIVE_TOKEN, limit }]
      }
    ],
    actions: [
      {
        kind: "v6-pay",
        allocationId: "tips",
        beneficiary: BENEFICIARY,
        perCallLimit: "2000",
        totalLimit: limit,
        terminal: sandbox.at("JBMultiTerminal"),
        projectId: "2",
        minReturnedTokens: "0"
      }
    ]
  }
}

const ownersOf = ({ owner, other }: Standing) =>
  [owner, other]
    .map(({ key }) => privateKeyToAccount(key.privateKey))
    .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

/** A wallet whose owners enabled a session of a bot's. */
const live = async (race: Race): Promise<Live> => {
  const standing = await newcomer(race)
  const { owner, address } = standing
  const { key } = signerOf(`session key ${newKey()}`)
  const grantId = (await asked(race, registration(owner, key, MONTH), "a grant")).bot?.id ?? ""
  const body = await inputFor(race, standing, grantId)
  const prepared = ready(owner, { method: "POST", target: SESSIONS, key: newKey(), body })
  const { id: session = "", compiled } = await asked(race, prepared, "a session")
  if (compiled === undefined) throw new Error("a session says not what was compiled")
  const { chainUrl, deployed } = operatingIn(race)
  const data = enableData(compiled.encodedPolicy)
  const wallet = { address, threshold: 2 }
  await inTurn(() => ownersDo(onSandbox(chainUrl, deployed), wallet, data, ownersOf(standing), GUARD))
  const { state } = await asked(race, ready(owner, { method: "GET", target: `${SESSIONS}/${session}` }), "it")
  if (state !== "active") throw new Error(`a session is ${state}`)
  return { ...standing, bot: { ...owner, key, grantId }, session, compiledHash: compiled.compiledHash }
}

/** As its key signs it. */
const use = async (race: Race, one: Live, { by = one.bot, value = "1000" } = {}): Promise<Prepared> => {
  const plan = await planned(race, one, by, value, BENEFICIARY)
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
