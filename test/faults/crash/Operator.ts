/** An owner of a wallet of two who has it act: it binds the wallet, asks for an operation, has both owners sign it, and sees to it that it is sent. */
import { concatHex, type Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { ownersPart } from "../../../src/client/OwnerSigning.ts"
import { freshNonce } from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import { ownerEnvelope } from "../../../src/values/OwnerEnvelope.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { createWallet } from "../../smartaccounts/support/Wallets.ts"
import { operationsBy } from "./Operations.ts"
import { makeParty, type Surroundings } from "./Party.ts"
import { walletOf } from "./Wallet.ts"

const BINDINGS = "/api/v1/smart-accounts/bindings"
const CHALLENGE_SECONDS = 600

const manifest = localManifest()

const isHash = (value: unknown): value is Hex => typeof value === "string" && value.startsWith("0x")

const twoOwners = () =>
  [generatePrivateKey(), generatePrivateKey()]
    .map(key => privateKeyToAccount(key))
    .sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))

let creating: Promise<unknown> = Promise.resolve()

/** One after the other, for one sender sends all of it. */
export const sendersTurn = <A>(act: () => Promise<A>): Promise<A> => {
  const next = creating.then(act)
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
  const sandbox = { ...onSandbox(chainUrl, deployed), stop: () => Promise.resolve() }
  const wallet = await sendersTurn(() =>
    createWallet(sandbox, { owners: owners.map(({ address }) => address), saltNonce: BigInt(owner.address) })
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

  const operations = operationsBy(party.self.speaker, async operation => {
    const signing = ownersPart(operation)
    const sign = async (key: (typeof owners)[number]) => ({
      signer: key.address,
      signature: await key.sign({ hash: signing.digest })
    })
    return ownerEnvelope(signing, await Promise.all(owners.map(sign)))
  })
  return { ...operations, bind, create, party, owners, wallet }
}

export type Operator = Awaited<ReturnType<typeof newOperator>>
