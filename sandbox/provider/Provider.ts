/** The provider: quotes what it is asked to carry, and says how it goes. */
import { randomUUID } from "node:crypto"
import type { Hex } from "viem"
import { type BundleAnswer, bundleAnswer, type PublicationAnswer, publicationAnswer } from "./Answers.ts"
import type { Book, Bundle } from "./Book.ts"
import type { Chain } from "./Chain.ts"
import { type Executor, isOver } from "./Executor.ts"
import { conductAmong, type Lie } from "./Faults.ts"
import { outerGas } from "./Forwarder.ts"
import { hashOfLie } from "./Hashes.ts"
import { bundleUnder, publicationUnder } from "./Lies.ts"
import { nestedCaller } from "./NestedCaller.ts"
import type { Placed } from "./PaymentContract.ts"
import { BadRequest, type Published, readPublication } from "./Publication.ts"
import { sendsOf } from "./Sends.ts"

export class Full extends Error {}

export interface Parts {
  readonly chain: Chain
  readonly book: Book
  readonly executor: Executor
  readonly payments: Placed
  /** One after the other with the executor's rounds. */
  readonly inTurn: <A>(act: () => Promise<A>) => Promise<A>
}

const PAYABLE_SECONDS = 600
/** So long before the first request's deadline a payment has to come. */
const MARGIN_SECONDS = 60
const LEAST_SECONDS = 30
/** Stops whatever calls it. */
const OTHER_CODE: Hex = "0x00"

export class Provider {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async publish(body: unknown, lies: ReadonlyArray<Lie>): Promise<PublicationAnswer> {
    const published = readPublication(body)
    const bundle = await this.#parts.inTurn(() => this.#record(published, lies))
    if (lies.includes("code-replaced")) await this.#replaceCode()
    return publicationUnder(publicationAnswer(bundle, this.#parts.payments.address), lies)
  }

  /** Undefined of a bundle that it does not know; "vanished" where it took the payment and is gone. */
  async bundle(uuid: string, lies: ReadonlyArray<Lie>): Promise<BundleAnswer | "vanished" | undefined> {
    const { book, payments, inTurn } = this.#parts
    const bundle = book.get(uuid)
    if (bundle === undefined) return undefined
    if (bundle.conduct === "vanishes" && bundle.paid !== undefined) return "vanished"
    if (lies.includes("code-replaced")) await this.#replaceCode()
    const hash = await inTurn(() => hashOfLie(lies, this.#parts))
    return bundleUnder(bundleAnswer(bundle, payments.address), lies, hash)
  }

  /** Puts the payment contract's code back. */
  async restore(): Promise<void> {
    const { chain, payments, inTurn } = this.#parts
    await inTurn(() => chain.place(payments))
  }

  async #record(published: ReadonlyArray<Published>, lies: ReadonlyArray<Lie>): Promise<Bundle> {
    const { chain, book } = this.#parts
    const conduct = conductAmong(lies)
    const caller = nestedCaller()
    if (conduct === "executes-nested") await chain.place(caller)
    const now = await chain.now()
    const deadline = deadlineOf(published, now)
    this.#makeRoom(now)
    const bundle: Bundle = {
      uuid: randomUUID(),
      conduct,
      transactions: published.map(({ request }) => ({ uuid: randomUUID(), request })),
      amount: String(await this.#quote(published)),
      deadline,
      since: Number(await chain.client.getBlockNumber()),
      paid: undefined,
      sends: sendsOf(published, conduct, { provider: chain.provider, nestedCaller: caller.address })
    }
    book.save(bundle)
    return bundle
  }

  /** A fifth more than all its gas at today's price, and what the calls carry. */
  async #quote(published: ReadonlyArray<Published>): Promise<bigint> {
    const price = await this.#parts.chain.client.getGasPrice()
    const gas = published.reduce((sum, { execution }) => sum + outerGas(execution), 0n)
    const value = published.reduce((sum, { execution }) => sum + execution.value, 0n)
    return (gas * price * 12n) / 10n + value
  }

  #makeRoom(now: number): void {
    const { book } = this.#parts
    if (!book.isFull()) return
    for (const bundle of book.all()) if (isOver(bundle, now)) book.forget(bundle.uuid)
    if (book.isFull()) throw new Full("no room for another bundle")
  }

  async #replaceCode(): Promise<void> {
    const { chain, payments } = this.#parts
    await chain.client.setCode({ address: payments.address, bytecode: OTHER_CODE })
  }
}

const deadlineOf = (published: ReadonlyArray<Published>, now: number): number => {
  const first = Math.min(...published.map(({ execution }) => execution.deadline))
  const deadline = Math.min(now + PAYABLE_SECONDS, first - MARGIN_SECONDS)
  if (deadline < now + LEAST_SECONDS) throw new BadRequest("a request's deadline is too near")
  return deadline
}
