/** The chain room over given nodes, with settings that only name what a test is about. */
import { Effect, Layer, Redacted } from "effect"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { ChainClientLive } from "../../src/chain/ChainClientLive.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { type FakeNode, type FakeNodeOptions, fakeNode } from "../support/FakeNode.ts"
import { testSettings } from "../support/Settings.ts"

const settings = testSettings({ quotas: { owner: 1_000, bots: 1_000, address: 1_000, rpc: 1_000_000 } })

interface NodesUnderTest {
  readonly chainId: number
  readonly urls: ReadonlyArray<string>
  readonly callsPerMinute?: number
}

export const clientOver = ({ chainId, urls, callsPerMinute = 1_000_000 }: NodesUnderTest) =>
  ChainClientLive.pipe(
    Layer.provide(
      Layer.succeed(Settings, {
        ...settings,
        quotas: { ...settings.quotas, rpc: callsPerMinute },
        chains: [{ chainId, confirmations: 2, urls: urls.map(url => Redacted.make(url)) }]
      })
    )
  )

export const onNodes = <A, E>(
  options: ReadonlyArray<FakeNodeOptions>,
  body: (first: FakeNode, second: FakeNode) => Effect.Effect<A, E, ChainClient>,
  settings: Partial<NodesUnderTest> = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([fakeNode(options[0]), fakeNode(options[1])])
      const urls = [first.url, second.url].slice(0, options.length)
      return yield* Effect.provide(body(first, second), clientOver({ chainId: 1, urls, ...settings }))
    })
  )

export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
