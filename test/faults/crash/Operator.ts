/** An owner of a wallet of two who has it act: it binds the wallet, asks for an operation, has both owners sign it, and sees to it that it is sent. */
import { concatHex, type Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { ownersPart } from "../../../src/client/OwnerSigning.ts"
import { freshNonce } from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"
import { ownerEnvelope } from "../../../src/values/OwnerEnvelope.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { createWallet } from "../../smartaccounts/support/Wallets.ts"
import { makeParty, type Surroundings } from "./Party.ts"
import type { Told } from "./Told.ts"
import { walletOf } from "./Wallet.ts"

const POLL_MILLIS = 30
const BINDINGS = "/api/v1/smart-accounts/bindings"
const CHALLENGE_SECONDS = 600

const pause = () => new Promise<void>(resolve => setTimeout(resolve, POLL_MILLIS))

/** With both owners' signatures. */
export interface SignedByOwners {
  readonly operation: PublicUserOperation
  readonly signature: Hex
}

const manifest = localManifest()

const isHash = (value: unknown): value is Hex => typeof value === "string" && value.startsWith("0x")

const twoOwners = () =>
  [generatePrivateKey(), generatePrivateKey()]
    .map(key => privateKeyToAccount(key))
    .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

let creating: Promise<unknown> = Promise.resolve()

/** One after the other, for all are created by one sender. */
const created: typeof createWallet = (...parameters) => {
  const next = creating.then(() => createWallet(...parameters))
  creating = next.catch(() => {})
  return next
}

export const newOperator = async (around: Surroundings) => {
  const { chainUrl, manifest: deployed } = around.world
  const owners = twoOwners()
  const [owner] = owners
  if (owner === undefined) throw new Error("a wallet has no owner")
  const party = makeParty(walletOf(owner, chainUrl), around)
  await party.enroll()
  const wallet = await created(
    { ...onSandbox(chainUrl, deployed), stop: () => Promise.resolve() },
    { owners: owners.map(({ address }) => address), saltNonce: BigInt(owner.address) }
  )
  const { ask } = party.self.speaker

  const heardBy = async (target: string, body: unknown, to?: string) => {
    let last: Readonly<Record<string, unknown>> = {}
    const heard = (json: typeof last) => {
      if (json.code === undefined) last = json
    }
    const { status, code } = await ask({ route: "bind", method: "POST", target, body, to, heard })
    if (status >= 300) throw new Error(`${target} was refused: ${status} ${code}`)
    return last
  }

  const challenge = {
    manifestId: manifest.id,
    address: wallet.address,
    nonce: freshNonce(realSystem),
    expiresAt: Math.floor(Date.now() / 1000) + CHALLENGE_SECONDS
  }
  const { stateHash, digest } = await heardBy("/api/v1/smart-accounts/binding-challenges", challenge)
  if (!isHash(digest)) throw new Error("a challenge has no digest")
  const signatures = await Promise.all(owners.map(key => key.sign({ hash: digest })))
  const signedChallenge = { ...challenge, stateHash, signature: concatHex(signatures) }

  /** The same challenge, however often. */
  const bind = async (to?: string): Promise<string> =>
    String((await heardBy(BINDINGS, signedChallenge, to)).id)

  const create = (bindingId: string): Promise<Plan> => {
    const { key, body } = party.draft(2)
    const { input, ...rest } = Object(body)
    const own = { ...rest, input: { ...input, account: wallet.address, calls: input.calls.slice(0, 1) } }
    return party.create(party.self, { key, target: `${BINDINGS}/${bindingId}/plans`, body: own })
  }

  const prepare = async (plan: Plan, key: string, to?: string): Promise<SignedByOwners> => {
    const body = { planId: plan.id, stepIndexes: [0] }
    const asked = { route: "operate", method: "POST", target: "/api/v1/user-operations", key, body } as const
    const { operation, status, code } = await ask({ ...asked, to })
    if (operation === undefined) throw new Error(`an operation was refused: ${status} ${code}`)
    const signing = ownersPart(operation)
    const sign = async (key: (typeof owners)[number]) => ({
      signer: key.address,
      signature: await key.sign({ hash: signing.digest })
    })
    return { operation, signature: ownerEnvelope(signing, await Promise.all(owners.map(sign))) }
  }

  const send = (
    { operation: { id }, signature }: SignedByOwners,
    key: string,
    to?: string
  ): Promise<Told> => {
    const target = `/api/v1/user-operations/${id}/submissions`
    return ask({ route: "send", method: "POST", target, key, body: { signature }, to })
  }

  const look = async (signed: SignedByOwners, to?: string): Promise<PublicUserOperation> => {
    const target = `/api/v1/user-operations/${signed.operation.id}`
    const { operation, status, code } = await ask({ route: "look", method: "GET", target, to })
    if (operation !== undefined) return operation
    if (code !== "CONCURRENT_UPDATE") throw new Error(`an operation is not shown: ${status} ${code}`)
    await pause()
    return look(signed)
  }

  /** Under the same key, until it is known to be sent, or its time is over. */
  const seeToIt = async (signed: SignedByOwners, key: string): Promise<void> => {
    while ((await look(signed)).state === "prepared") {
      if ((await send(signed, key)).code === "USER_OPERATION_EXPIRED") return
      await pause()
    }
  }
  return { bind, create, prepare, send, look, seeToIt }
}

export type Operator = Awaited<ReturnType<typeof newOperator>>
