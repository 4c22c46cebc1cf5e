/** Waits for payments, and executes what was paid for; what it signed is kept before it is sent. */
import type { Hex } from "viem"
import type { Book, Bundle } from "./Book.ts"
import type { Chain } from "./Chain.ts"
import { bundleBytes, type Placed, prepaymentAbi } from "./PaymentContract.ts"
import type { Send } from "./Sends.ts"

/** So deep a reorganisation is noticed. */
const WATCHED_BLOCKS = 64n

export interface Executing {
  readonly chain: Chain
  readonly book: Book
  readonly payments: Placed
}

const isDone = ({ state }: Send): boolean => state === "success" || state === "failed"

/** Whether its nonce was used. */
const isPast = ({ nonce = 0 }: Send, next: number): boolean => nonce < next

const isWaiting = ({ paid, conduct }: Bundle): boolean => paid === undefined && conduct !== "executes-unpaid"

/** What will never be worked on again may be forgotten. */
export const isOver = (bundle: Bundle, now: number): boolean =>
  isWaiting(bundle) ? bundle.deadline < now : bundle.sends.every(isDone)

export class Executor {
  readonly #of: Executing
  #from: bigint
  /** Undefined where blocks came behind it, which a reorganisation to it would take away unseen. */
  #head: Hex | undefined
  /** Hashes whose nonce was used and whose receipt was not there, once. */
  readonly #missed = new Set<Hex>()

  constructor(of: Executing) {
    this.#of = of
    const waiting = of.book.all().filter(isWaiting)
    this.#from = BigInt(Math.min(...waiting.map(({ since }) => since), Number.MAX_SAFE_INTEGER))
  }

  /** One round: payments that came, transactions that got lost, and the next of each bundle. */
  async step(): Promise<void> {
    const { number, hash } = await this.#of.chain.client.getBlock()
    if (hash !== this.#head) {
      await this.#standsAgain()
      await this.#takePayments(number)
      await this.#findLost(number)
    }
    this.#head = hash
    await this.#fillGap()
    for (const bundle of this.#of.book.all()) if (!isWaiting(bundle)) await this.#advance(bundle)
  }

  async #takePayments(head: bigint): Promise<void> {
    const { chain, book, payments } = this.#of
    const last = this.#from > head ? head : this.#from
    const fromBlock = last > WATCHED_BLOCKS ? last - WATCHED_BLOCKS : 0n
    const logs = await chain.client.getContractEvents({
      address: payments.address,
      abi: prepaymentAbi,
      eventName: "Prepayment",
      strict: true,
      fromBlock,
      toBlock: head
    })
    const unpaid = new Map(
      book
        .all()
        .filter(({ paid }) => paid === undefined)
        .map(bundle => [bundleBytes(bundle.uuid), bundle])
    )
    for (const { args, transactionHash } of logs) {
      const bundle = unpaid.get(args.bundle)
      if (bundle === undefined || bundle.paid !== undefined) continue
      if (args.amount < BigInt(bundle.amount) || args.deadline !== bundle.deadline) continue
      bundle.paid = transactionHash
      book.save(bundle)
    }
    this.#from = head
  }

  /** A reorganisation may take away the contract itself, and the provider's ether with it. */
  async #standsAgain(): Promise<void> {
    const { chain, payments } = this.#of
    if ((await chain.client.getCode({ address: payments.address })) !== undefined) return
    await chain.fund()
    await chain.place(payments, await this.nextNonce())
  }

  /** What is in no block any more is sent again, byte by byte. */
  async #findLost(head: bigint): Promise<void> {
    const next = await this.#of.chain.nonce()
    for (const bundle of this.#of.book.all()) {
      if (bundle.conduct === "executes-reorged") continue
      for (const send of bundle.sends) {
        if (send.hash === undefined || send.block === undefined) continue
        if (isPast(send, next) && head > BigInt(send.block) + WATCHED_BLOCKS) continue
        if ((await this.#of.chain.receipt(send.hash)) !== undefined) continue
        send.state = "sent"
        this.#of.book.save(bundle)
      }
    }
  }

  async #advance(bundle: Bundle): Promise<void> {
    for (const send of bundle.sends) {
      if (send.state === "waiting") await this.#sign(bundle, send)
      if (send.state === "sent") await this.#settle(bundle, send)
      if (!isDone(send)) return
    }
  }

  async #sign(bundle: Bundle, send: Send): Promise<void> {
    const { to, data, value, gas } = send
    const call = { to, data, value: BigInt(value), gas: BigInt(gas) }
    const signed = await this.#of.chain.sign(call, await this.nextNonce())
    Object.assign(send, signed, { state: "sent" })
    this.#of.book.save(bundle)
  }

  async #settle(bundle: Bundle, send: Send): Promise<void> {
    const { chain, book } = this.#of
    if (send.raw === undefined || send.hash === undefined) return
    const next = await chain.nonce()
    const known = await chain.receipt(send.hash)
    if (known === undefined) await chain.send(send.raw)
    const receipt = known ?? (await chain.receipt(send.hash))
    if (receipt === undefined) {
      if (this.#isDisplaced(send, next)) await this.#sign(bundle, send)
      return
    }
    send.state = receipt.status === "success" ? "success" : "failed"
    send.block = Number(receipt.blockNumber)
    this.#head = undefined
    book.save(bundle)
    if (bundle.conduct === "executes-reorged") await this.#takeBack(receipt.blockNumber, send)
  }

  /** Another transaction takes the nonce, so that the one that was reported never comes back. */
  async #takeBack(block: bigint, { nonce }: Send): Promise<void> {
    const { client } = this.#of.chain
    const depth = Number((await client.getBlockNumber()) - block) + 1
    await client.transport.request({ method: "anvil_rollback", params: [depth] })
    await this.#of.chain.fill(nonce ?? 0)
  }

  /** Behind all that it ever used: what a reorganisation takes away is sent with its own again. */
  async nextNonce(): Promise<number> {
    const next = await this.#of.chain.nonce()
    return this.#nonces().reduce((highest, nonce) => Math.max(highest, nonce + 1), next)
  }

  #nonces(counts: (send: Send, bundle: Bundle) => boolean = () => true): ReadonlyArray<number> {
    return this.#of.book
      .all()
      .flatMap(bundle => bundle.sends.filter(send => counts(send, bundle)))
      .flatMap(({ nonce }) => nonce ?? [])
  }

  /** What a reorganisation took away of lies is not sent again, and others wait behind its nonce. */
  async #fillGap(): Promise<void> {
    const onTheirWay = this.#nonces(({ state }) => state === "sent")
    if (onTheirWay.length === 0) return
    const first = onTheirWay.reduce((lowest, nonce) => Math.min(lowest, nonce))
    const kept = new Set(this.#nonces((_, { conduct }) => conduct !== "executes-reorged"))
    for (let nonce = await this.#of.chain.nonce(); nonce < first; nonce++)
      if (!kept.has(nonce)) await this.#of.chain.fill(nonce)
  }

  /** Whose nonce another transaction took is signed anew, unless its receipt is only late. */
  #isDisplaced(send: Send, next: number): boolean {
    if (!isPast(send, next)) return false
    const { hash = "0x" } = send
    const before = this.#missed.has(hash)
    this.#missed.add(hash)
    return before
  }
}
