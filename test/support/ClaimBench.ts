/** The claim's function on a database of its own, whose clock stands: an account with a plan of two steps, and the dispatch of the first. */
import { randomUUID } from "node:crypto"
import { assert } from "vitest"
import { ClaimSession, dispatchOf, NOW, type Request } from "./ClaimSession.ts"
import { stopClock } from "./DatabaseTime.ts"
import { accountId, LedgerSession } from "./Ledger.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import type { FreshDatabase } from "./Postgres.ts"

export const OTHER = `0x${"c3".repeat(20)}`

interface Opened {
  readonly database: FreshDatabase
  readonly session: ClaimSession
  readonly rival: ClaimSession
}

export class ClaimBench {
  readonly database: FreshDatabase
  readonly session: ClaimSession
  /** Another replica's. */
  readonly rival: ClaimSession
  readonly ledger: LedgerSession
  account = 0
  plan = ""
  dispatch: Request = {}

  private constructor({ database, session, rival }: Opened) {
    this.database = database
    this.session = session
    this.rival = rival
    this.ledger = new LedgerSession(session.client)
  }

  static async open(): Promise<ClaimBench> {
    const database = await migratedDatabase()
    const session = await ClaimSession.open(database.url)
    return new ClaimBench({ database, session, rival: await ClaimSession.open(database.url) })
  }

  /** Nothing of the test before is left. */
  async begin(): Promise<void> {
    await this.rival.rows("ROLLBACK")
    await this.sql("TRUNCATE accounts CASCADE")
    await stopClock(this.database.url, NOW)
    this.account = await this.ledger.enroll()
    this.plan = await this.session.plan(this.account, `owner:${accountId()}`)
    this.dispatch = dispatchOf(this.plan)
  }

  async close(): Promise<void> {
    await Promise.all([this.session.client.end(), this.rival.client.end()])
    await this.database.drop()
  }

  sql(text: string, values: ReadonlyArray<unknown> = []) {
    return this.session.rows(text, values)
  }

  observe(over: Request = {}): Request {
    return {
      ...this.dispatch,
      purpose: "observe",
      judged_revision: null,
      is_blocked: null,
      claims_seen: null,
      ...over
    }
  }

  again(over: Request = {}): Request {
    return {
      ...this.dispatch,
      key: randomUUID(),
      token: randomUUID(),
      binding_id: randomUUID(),
      judged_revision: null,
      ...over
    }
  }

  async refused(request: Request, verdict: string, boundTo = ""): Promise<void> {
    const before = await this.session.stored()
    assert.deepStrictEqual(await this.session.ask(request), { verdict, bound_to: boundTo })
    assert.deepStrictEqual(await this.session.stored(), before)
  }

  relayGrant(over: Request = {}): Promise<string> {
    return this.ledger.grant(this.account, ["read", "plan", "relay"], over)
  }

  async lease() {
    return (
      await this.sql(
        "SELECT hash, count, outcome, reserved_at, expires_at FROM dispatch_leases WHERE plan = $1",
        [this.plan]
      )
    )[0]
  }

  async due() {
    return (
      await this.sql("SELECT revision, sweep_at, pending_since FROM plans WHERE id = $1", [this.plan])
    )[0]
  }
}
