/** What a sequence is made of: an owner's plans and submissions, a node's faults, and what happens to the chain meanwhile. */
import fc from "fast-check"

export type Command =
  | { readonly do: "plan"; readonly dependencies: ReadonlyArray<boolean> }
  | {
      readonly do: "submit"
      readonly plan: number
      readonly step: number
      readonly bytes: "first" | "rival" | "fresh"
    }
  /** The own bytes of a step that was admitted. */
  | { readonly do: "again"; readonly nth: number }
  /** The node forgets what it has not mined. */
  | { readonly do: "lose" }
  | { readonly do: "fault"; readonly fault: "drop" | "lost" | "reset" }
  /** Every lease so far, or every plan. */
  | { readonly do: "expire" | "age" }
  | { readonly do: "mine"; readonly blocks: number }
  | { readonly do: "reorg" | "rollback"; readonly depth: number }
  | { readonly do: "refresh"; readonly plan: number }

const small = fc.nat({ max: 2 })

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("plan" as const),
      dependencies: fc.array(fc.boolean(), { maxLength: 2 })
    })
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("submit" as const),
      plan: small,
      step: small,
      bytes: fc.constantFrom("first" as const, "first" as const, "rival" as const, "fresh" as const)
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("again" as const), nth: fc.nat({ max: 5 }) })
  },
  { weight: 1, arbitrary: fc.constant({ do: "lose" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fault" as const),
      fault: fc.constantFrom("drop" as const, "lost" as const, "reset" as const)
    })
  },
  { weight: 2, arbitrary: fc.constant({ do: "expire" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "age" as const }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 3 }) })
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("reorg" as const), depth: fc.integer({ min: 1, max: 4 }) })
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("rollback" as const), depth: fc.integer({ min: 1, max: 4 }) })
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("refresh" as const), plan: small }) }
)

export const sequence = fc.array(command, { minLength: 10, maxLength: 40 })
