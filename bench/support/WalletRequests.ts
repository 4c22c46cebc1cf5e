/** What the owners of wallets ask and sign in benchmarks, each kind by what the kinds before it came to. */
import type { Plan } from "../../src/plans/Plan.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { ownerEnvelope } from "../../src/values/OwnerEnvelope.ts"
import type { Bytes32, Hex } from "../../src/values/Scalars.ts"
import { fromHex } from "../../src/values/TypedDataHash.ts"
import { sign } from "../../test/signatures/TestKeys.ts"
import { INSTANT_CHAIN, TERMINAL } from "../../test/support/InstantForwarder.ts"
import { instantWalletManifest, instantWalletOf } from "../../test/support/InstantWallets.ts"
import { lanesWithAnswers } from "./LaneLoad.ts"
import { type Outgoing, payment, wireOf } from "./RelayRequests.ts"
import { SERVICE_PORT } from "./RelayWorld.ts"
import type { BenchAccount } from "./Requests.ts"

const SETUP = { port: SERVICE_PORT, lanes: 32, seconds: 600 }
const WALLETS = "/api/v1/smart-accounts"
const VALID_SECONDS = 800

type Accounts = ReadonlyArray<BenchAccount>

const post = (target: string, body: unknown): Outgoing => ({ method: "POST", target, body })

/** Each account's, in their order. */
export const wires = <Before>(
  accounts: Accounts,
  before: ReadonlyArray<Before>,
  request: (account: BenchAccount, before: Before) => Outgoing
): ReadonlyArray<Buffer> =>
  accounts.flatMap((account, index) => {
    const own = before[index]
    return own === undefined ? [] : [wireOf(account, request(account, own))]
  })

export const answered = async <A>(requests: ReadonlyArray<Buffer>): Promise<ReadonlyArray<A>> => {
  const answers = await lanesWithAnswers(requests, SETUP)
  const failed = answers.find(({ status }) => status >= 300)
  if (failed !== undefined || answers.length !== requests.length)
    throw new Error(`a wallet's request was refused: ${failed?.status} ${failed?.body}`)
  return answers.map(({ body }): A => JSON.parse(body))
}

interface Challenge {
  readonly digest: Bytes32
  readonly stateHash: string
}

interface Operation {
  readonly id: string
  readonly signing: { readonly digest: Bytes32; readonly validAfter: number; readonly validUntil: number }
}

const walletOf = ({ key }: BenchAccount) => checksummed(instantWalletOf(key.address))

/** All that is bound at one time is asked for until one time. */
const bindingUntil = (expiresAt: number) => {
  const asked = (account: BenchAccount) => ({
    manifestId: instantWalletManifest.id,
    address: walletOf(account),
    nonce: `0x${"0".repeat(63)}1`,
    expiresAt
  })
  return {
    challenge: (account: BenchAccount) => post(`${WALLETS}/binding-challenges`, asked(account)),
    binding: (account: BenchAccount, { digest, stateHash }: Challenge) =>
      post(`${WALLETS}/bindings`, {
        ...asked(account),
        stateHash,
        signature: sign(account.key, fromHex(digest))
      })
  }
}

const bindingSoon = () => bindingUntil(Math.floor(Date.now() / 1000) + VALID_SECONDS)

export const challengeRequests = (accounts: Accounts): ReadonlyArray<Buffer> => {
  const { challenge } = bindingSoon()
  return accounts.map(account => wireOf(account, challenge(account)))
}

export const bindingRequests = async (accounts: Accounts): Promise<ReadonlyArray<Buffer>> => {
  const { challenge, binding } = bindingSoon()
  const challenges = await answered<Challenge>(accounts.map(account => wireOf(account, challenge(account))))
  return wires(accounts, challenges, binding)
}

export const walletPlanRequests = async (accounts: Accounts): Promise<ReadonlyArray<Buffer>> => {
  const bindings = await answered<{ readonly id: string }>(await bindingRequests(accounts))
  const calls = [payment(INSTANT_CHAIN, TERMINAL, "1")]
  return wires(accounts, bindings, (account, { id }) =>
    post(`${WALLETS}/bindings/${id}/plans`, {
      operation: "contract_calls",
      input: { account: walletOf(account), calls }
    })
  )
}

export const operationRequests = async (accounts: Accounts): Promise<ReadonlyArray<Buffer>> => {
  const plans = await answered<Plan>(await walletPlanRequests(accounts))
  return wires(accounts, plans, (_, { id }) =>
    post("/api/v1/user-operations", { planId: id, stepIndexes: [0] })
  )
}

const envelope = ({ key }: BenchAccount, { signing }: Operation): Hex =>
  ownerEnvelope(signing, [{ signer: key.address, signature: sign(key, fromHex(signing.digest)) }])

export const sendingRequests = async (accounts: Accounts): Promise<ReadonlyArray<Buffer>> => {
  const operations = await answered<Operation>(await operationRequests(accounts))
  return wires(accounts, operations, (account, operation) =>
    post(`/api/v1/user-operations/${operation.id}/submissions`, { signature: envelope(account, operation) })
  )
}
