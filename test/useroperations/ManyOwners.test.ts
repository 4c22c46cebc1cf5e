/** A wallet acts by as many of its owners as it may have. */
import { concatHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, it } from "vitest"
import { manifest } from "../smartaccounts/support/Inspections.ts"
import { askWallets } from "../smartaccounts/support/WalletService.ts"
import { createWallet } from "../smartaccounts/support/Wallets.ts"
import { enroll } from "../support/Bots.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import {
  envelopeOf,
  partyOf,
  preparedOperation,
  sendOperation,
  startOperatingBench,
  walletPlan
} from "./support/Operating.ts"

const bench = await startOperatingBench()
afterAll(() => bench.stop())

const { service, sandbox } = bench

/** All of them must sign. */
const boundWalletOf = async (count: number) => {
  const owners = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey())).sort(
    (one, other) => (one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1)
  )
  const [first = assert.fail("a wallet has no owner")] = owners
  const owner = partyOf(first)
  await enroll(service, owner)
  const addresses = owners.map(({ address }) => address)
  const asked = { owners: addresses, threshold: count, saltNonce: BigInt(first.address) }
  const wallet = await createWallet(sandbox, asked)
  const expiresAt = Math.floor(Date.now() / 1000) + 600
  const challenge = { manifestId: manifest.id, address: wallet.address, nonce: freshNonce(), expiresAt }
  const told = await askWallets(service, owner, "binding-challenges", challenge)
  const { digest, stateHash } = await told.json()
  const signature = concatHex(await Promise.all(owners.map(each => each.sign({ hash: digest }))))
  const answer = await askWallets(service, owner, "bindings", { ...challenge, stateHash, signature })
  const binding: { readonly id: string } = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(binding))
  return { owner, owners, wallet, binding }
}

it.each([1, 8, 16])(
  "an operation that %i owners sign has the gas that their signatures take",
  async count => {
    const bound = await boundWalletOf(count)
    const plan = await walletPlan(bench, bound)
    const operation = await preparedOperation(service, bound.owner, plan)
    const signature = await envelopeOf(operation, bound.owners)
    const answer = await sendOperation(service, bound.owner, operation, signature)
    const sent = await answer.json()
    assert.strictEqual(answer.status, 202, JSON.stringify(sent))
    assert.strictEqual(sent.state, "pending")
  }
)
