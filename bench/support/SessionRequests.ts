/** Sessions of benchmarks, each live at its wallet's guard, and what is asked of them. */
import { encodeFunctionData, encodeFunctionResult, type Hex } from "viem"
import { checksummed } from "../../src/values/Checksum.ts"
import { botProofDigest } from "../../src/values/TypedDataHash.ts"
import { paymentRights } from "../../test/faults/operating/Rights.ts"
import { guardAbi } from "../../test/sessions/support/Abis.ts"
import { sign, testKey } from "../../test/signatures/TestKeys.ts"
import { instantManifest } from "../../test/support/InstantForwarder.ts"
import { instantWalletOf } from "../../test/support/InstantWallets.ts"
import { type Outgoing, random, wireOf } from "./RelayRequests.ts"
import { AUDIENCE, type BenchAccount, CHAIN } from "./Requests.ts"
import { answered, bindingRequests, wires } from "./WalletRequests.ts"

export const SESSIONS = "/api/v1/smart-accounts/sessions"
const MONTH_SECONDS = 30 * 86_400
const USED = 7n
/** So that they have begun for every bundler's clock. */
const PAST_SECONDS = 30

const nowSeconds = () => Math.floor(Date.now() / 1000)

const registration = ({ id, key }: BenchAccount): Outgoing => {
  const bot = testKey(`bench bot of ${key.address}`)
  const terms = {
    botAddress: bot.address,
    scopes: ["read", "plan", "relay"],
    expiresAt: nowSeconds() + MONTH_SECONDS,
    label: ""
  }
  const nonce = random()
  const digest = botProofDigest(AUDIENCE, CHAIN, { ...terms, accountId: id, ownerRequestNonce: nonce })
  const body = { ...terms, proofSignature: sign(bot, digest) }
  return { method: "POST", target: "/api/v1/accounts/me/bots", body, nonce }
}

interface Prepared {
  readonly id: string
  readonly sessionKey: Hex
  readonly validUntil: number
  readonly compiled: {
    readonly permissionId: Hex
    readonly compiledHash: Hex
    readonly expectedHistory: Hex
    readonly policy: { readonly validAfter: number }
  }
}

const sessionRequest = (bindingId: string, grantId: string): Outgoing => {
  const [{ address: terminal }] = instantManifest.deployments
  const rights = paymentRights({ terminal: checksummed(terminal), perCallLimit: "2000", totalLimit: "5000" })
  const names = {
    bindingId,
    grantId,
    generation: "1",
    nonce: random(),
    validAfter: nowSeconds() - PAST_SECONDS
  }
  return { method: "POST", target: SESSIONS, body: { ...names, ...rights } }
}

/** What its guard is to say of it: enabled, and used once. */
const wordsOf = (
  wallet: Hex,
  { sessionKey, validUntil, compiled }: Prepared
): ReadonlyArray<readonly [Hex, Hex]> => {
  const { permissionId, compiledHash, expectedHistory, policy } = compiled
  const times = { validAfter: policy.validAfter, validUntil }
  const spent = Array.from({ length: 16 }, (_, index) => (index === 0 ? USED : 0n))
  const state = {
    ...{ compiledHash, status: 1, ...times, calls: 1, sessionKey, gas: USED, cost: USED },
    ...{ actionSpent: spent, allocationSpent: spent }
  }
  const administration = {
    ...{ enableNonce: 0n, epoch: 1n, installed: true, history: expectedHistory, live: permissionId }
  }
  const abi = guardAbi
  return [
    [
      encodeFunctionData({ abi, functionName: "stateOf", args: [permissionId, wallet] }),
      encodeFunctionResult({ abi, functionName: "stateOf", result: Object(state) })
    ],
    [
      encodeFunctionData({ abi, functionName: "administrationOf", args: [wallet] }),
      encodeFunctionResult({ abi, functionName: "administrationOf", result: administration })
    ]
  ]
}

const say = async (nodeUrl: string, words: Readonly<Record<Hex, Hex>>): Promise<void> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "instant_say", params: [words] })
  const answer = await fetch(nodeUrl, { method: "POST", body })
  if ((await answer.json()).result !== true) throw new Error("the node's guard takes no words")
}

/** One for each account, in their order. */
export const liveSessions = async (
  accounts: ReadonlyArray<BenchAccount>,
  nodeUrl: string
): Promise<ReadonlyArray<string>> => {
  const bindings = await answered<{ readonly id: string }>(await bindingRequests(accounts))
  const bots = await answered<{ readonly bot: { readonly id: string } }>(
    accounts.map(account => wireOf(account, registration(account)))
  )
  const named = bindings.map(({ id }, index) => ({ bindingId: id, grantId: bots[index]?.bot.id ?? "" }))
  const sessions = await answered<Prepared>(
    wires(accounts, named, (_, { bindingId, grantId }) => sessionRequest(bindingId, grantId))
  )
  const words = sessions.flatMap((session, index) => {
    const address = accounts[index]?.key.address
    return address === undefined ? [] : wordsOf(instantWalletOf(address), session)
  })
  await say(nodeUrl, Object.fromEntries(words))
  return sessions.map(({ id }) => id)
}
