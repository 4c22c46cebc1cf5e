/** Compares the calls of a plan operation with an encoding of its own by ethers, for many inputs. */
import { Effect } from "effect"
import { getAddress } from "ethers"
import fc from "fast-check"
import { assert } from "vitest"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { type AnyPlannedCall, planCall } from "../../src/operations/framework/PlanCalls.ts"
import type { PrepareId } from "../../src/operations/generated/OperationIds.ts"
import { MAXIMUM_LABEL } from "../../src/plans/Plan.ts"
import { contractNames } from "../../src/protocol/ContractNames.ts"
import { pinnedCatalog } from "../protocol/support/Protocol.ts"

const CHAIN = 1
const RUNS = Number(process.env.ENCODING_RUNS ?? 50)

export interface IndependentCall {
  readonly to: string
  readonly data: string
  readonly value?: bigint
}

interface Agreement<Input, Facts> {
  readonly id: PrepareId
  readonly input: fc.Arbitrary<Input>
  readonly facts: fc.Arbitrary<Facts>
  readonly calls: (input: Input, facts: Facts) => ReadonlyArray<AnyPlannedCall>
  /** From the human-readable signatures, by ethers alone. */
  readonly independent: (input: Input, facts: Facts) => ReadonlyArray<IndependentCall>
}

const names = await Effect.runPromise(Effect.provide(Effect.flatMap(Catalog, contractNames), pinnedCatalog))

const exact = ({ to, data, value = 0n }: IndependentCall) => ({
  to: getAddress(to),
  data,
  value: String(value)
})

/** On the chain of Ethereum, where every contract is recorded. */
export const agreesWithEthers = <Input, Facts>({
  id,
  input,
  facts,
  calls,
  independent
}: Agreement<Input, Facts>): void => {
  fc.assert(
    fc.property(input, facts, (given, found) => {
      const encoded = calls(given, found).map(
        (each, index) => Effect.runSync(planCall(names, CHAIN, each, index)).call
      )
      assert.deepStrictEqual(
        encoded.map(({ to, data, value }) => ({ to, data, value })),
        independent(given, found).map(exact),
        id
      )
      for (const { label } of encoded) assert.isAtMost(label.length, MAXIMUM_LABEL, label)
      for (const [index, { dependsOn }] of encoded.entries())
        assert.isTrue(
          dependsOn.every(earlier => earlier < index),
          id
        )
    }),
    { numRuns: RUNS }
  )
}

const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`

/** What inputs are made of. */
export const anAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): `0x${string}` => `0x${getAddress(hexOf(bytes)).slice(2)}`)

export const aUint = (bits: number, least = 0n): fc.Arbitrary<string> =>
  fc.bigInt({ min: least, max: 2n ** BigInt(bits) - 1n }).map(String)

export const someBytes = (most = 200): fc.Arbitrary<`0x${string}`> =>
  fc.uint8Array({ maxLength: most }).map(hexOf)

export const aHash: fc.Arbitrary<`0x${string}`> = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf)

export const aProject = fc.record({
  chainId: fc.constant(CHAIN),
  projectId: aUint(64, 1n),
  version: fc.constant(6 as const)
})
