/** A reader over a source that answers as it is told, and what it refuses before it asks. */
import { assert } from "vitest"
import type { RecordQuery, RowsQuery } from "../../../src/indexer/Indexer.ts"
import { type FakeSource, startFakeSource } from "./FakeSource.ts"
import { type Reader, startReader } from "./Reader.ts"

export const pageInfo = { hasNextPage: true, hasPreviousPage: false, startCursor: "a", endCursor: "b+/=" }
export const empty = { data: { page: { items: [], totalCount: 9, pageInfo }, rest: { totalCount: 0 } } }

export const text = (length: number) => "x".repeat(length)

export class Questioner {
  readonly source: FakeSource
  readonly reader: Reader

  private constructor(source: FakeSource, reader: Reader) {
    this.source = source
    this.reader = reader
  }

  static async start(): Promise<Questioner> {
    const source = await startFakeSource()
    const networks = { testnet: source.url, mainnet: source.url, localChains: [31337] }
    return new Questioner(source, await startReader(networks))
  }

  async stop(): Promise<void> {
    await this.reader.stop()
    await this.source.stop()
  }

  listing(query: Partial<RowsQuery>, entity = "payEvent") {
    return this.reader.indexer.list(entity, { network: "testnet", ...query })
  }

  /** Nothing may reach the source. */
  async refusedList(query: Partial<RowsQuery>, entity?: string): Promise<string> {
    const asked = this.source.asked.length
    const { _tag } = await this.reader.refused(this.listing(query, entity))
    assert.strictEqual(this.source.asked.length, asked)
    return _tag
  }

  async refusedRecord(query: Partial<RecordQuery>, entity: string): Promise<string> {
    const asked = this.source.asked.length
    const { _tag } = await this.reader.refused(
      this.reader.indexer.record(entity, { network: "testnet", ...query })
    )
    assert.strictEqual(this.source.asked.length, asked)
    return _tag
  }
}
