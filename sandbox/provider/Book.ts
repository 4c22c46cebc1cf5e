/** The bundles, kept in a file: a line for each change, the last of a bundle's counts. */
import { closeSync, fdatasyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import type { Hex } from "viem"
import type { Conduct } from "./Faults.ts"
import type { ProviderRequest } from "./Publication.ts"
import type { Send } from "./Sends.ts"

export interface Bundle {
  readonly uuid: string
  readonly conduct: Conduct | undefined
  readonly transactions: ReadonlyArray<{ readonly uuid: string; readonly request: ProviderRequest }>
  readonly amount: string
  readonly deadline: number
  /** The head's number when it was made: no payment is older. */
  readonly since: number
  /** Of the transaction that paid. */
  paid: Hex | undefined
  readonly sends: ReadonlyArray<Send>
}

interface Header {
  /** Hash of the first block: another chain knows nothing of these bundles. */
  readonly genesis: Hex
}

const MAXIMUM_BUNDLES = 20_000
const MAXIMUM_CHARACTERS = 256 * 1024 * 1024
const SLACK_LINES = 10_000

const linesOf = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8").split("\n").slice(0, -1)
  } catch (cause) {
    if (Object(cause).code === "ENOENT") return []
    throw cause
  }
}

const kept = (path: string, { genesis }: Header): ReadonlyArray<Bundle> => {
  const [header, ...lines] = linesOf(path)
  if (header === undefined || JSON.parse(header).genesis !== genesis) return []
  return lines.map(line => JSON.parse(line))
}

export class Book {
  readonly #path: string
  readonly #header: Header
  readonly #bundles = new Map<string, Bundle>()
  readonly #sizes = new Map<string, number>()
  #file = -1
  #lines = 0
  #characters = 0

  constructor(path: string, header: Header) {
    this.#path = path
    this.#header = header
    for (const bundle of kept(path, header)) this.#hold(bundle, JSON.stringify(bundle).length)
    this.#rewrite()
  }

  get(uuid: string): Bundle | undefined {
    return this.#bundles.get(uuid)
  }

  all(): ReadonlyArray<Bundle> {
    return [...this.#bundles.values()]
  }

  isFull(): boolean {
    return this.#bundles.size >= MAXIMUM_BUNDLES || this.#characters >= MAXIMUM_CHARACTERS
  }

  /** On the disk once it returns. */
  save(bundle: Bundle): void {
    const line = JSON.stringify(bundle)
    this.#hold(bundle, line.length)
    if (this.#lines > this.#bundles.size + SLACK_LINES) this.#rewrite()
    else this.#append(line)
  }

  forget(uuid: string): void {
    this.#characters -= this.#sizes.get(uuid) ?? 0
    this.#sizes.delete(uuid)
    this.#bundles.delete(uuid)
  }

  close(): void {
    closeSync(this.#file)
  }

  #hold(bundle: Bundle, size: number): void {
    this.#characters += size - (this.#sizes.get(bundle.uuid) ?? 0)
    this.#sizes.set(bundle.uuid, size)
    this.#bundles.set(bundle.uuid, bundle)
  }

  #append(line: string): void {
    writeSync(this.#file, `${line}\n`)
    fdatasyncSync(this.#file)
    this.#lines += 1
  }

  #rewrite(): void {
    const draft = `${this.#path}.draft`
    const file = openSync(draft, "w", 0o600)
    writeSync(file, [this.#header, ...this.all()].map(line => `${JSON.stringify(line)}\n`).join(""))
    fdatasyncSync(file)
    renameSync(draft, this.#path)
    if (this.#file >= 0) closeSync(this.#file)
    this.#file = file
    this.#lines = this.#bundles.size
  }
}
