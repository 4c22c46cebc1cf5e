/** A service with an index, a browser, and pages of the console opened by somebody signed in. */
import { Redacted } from "effect"
import type { Page } from "playwright-core"
import { type IndexedSource, startIndexedSource } from "../../../support/IndexedSource.ts"
import type { Party } from "../../../support/SignedFetch.ts"
import { type PageBench, payer, startPageBench, walletOf } from "../../support/PageBench.ts"
import { agree, openPage, press } from "../../support/WalletPage.ts"

export interface ProjectBench extends PageBench {
  readonly source: IndexedSource
  readonly owner: Party
  /** Everything that any page fetched, and everything that went wrong in one by itself. */
  readonly fetched: () => ReadonlyArray<string>
  readonly faults: () => ReadonlyArray<string>
  /** By somebody who stays signed in. */
  readonly open: (path: string) => Promise<Page>
  /** By somebody whose wallet is asked each time. */
  readonly openAsked: (path: string) => Promise<Page>
}

export const startProjectBench = async (isIndexed = true): Promise<ProjectBench> => {
  const source = await startIndexedSource()
  const testnetUrl = isIndexed ? Redacted.make(source.url) : undefined
  const indexer = { mainnetUrl: undefined, testnetUrl, headers: Redacted.make({}) }
  const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
  const bench = await startPageBench({ settings: { indexer, quotas } })
  const owner = await payer(bench)
  const seen: Array<Awaited<ReturnType<typeof openPage>>> = []
  const opened = async (path: string): Promise<Page> => {
    const found = await openPage(bench.browser, walletOf(bench, owner))
    seen.push(found)
    await found.page.goto(`${bench.sandbox.service.audience}${path}#account=${owner.accountId}`)
    return found.page
  }
  return {
    ...bench,
    source,
    owner,
    fetched: () => seen.flatMap(({ fetched }) => fetched),
    faults: () => seen.flatMap(({ faults }) => faults),
    open: async path => {
      const page = await opened(path)
      await press(page, "Stay signed in for an hour")
      await agree(page, "Make the key of this tab")
      await agree(page, "Grant a key rights on the account")
      return page
    },
    openAsked: async path => {
      const page = await opened(path)
      await press(page, "Ask me each time")
      return page
    },
    stop: async () => {
      await bench.stop()
      await source.stop()
    }
  }
}
