/** What a sequence around a session is made of: its owners' and its bot's acts, and what happens to its chain, its node and its plans meanwhile. */
import fc from "fast-check"

export type Command =
  | { readonly do: "look" | "runOut" | "revokeGrant" | "again" | "settle" }
  /** A plan by which the owners act. */
  | { readonly do: "plan"; readonly kind: "activation" | "revocation" }
  /** By the owners, without the service. */
  | { readonly do: "enable" | "revoke" }
  | {
      readonly do: "use"
      readonly amount: number
      readonly conduct: "alone" | "nested" | "among-others" | "dropped"
    }
  | { readonly do: "mine"; readonly blocks: number }
  | {
      readonly do: "reorg"
      readonly depth: number
      readonly into: "nothing" | "the same" | "another shape"
    }
  | { readonly do: "fault"; readonly fault: "drop" | "lost" | "reset" }

const only = <A extends string>(name: A) => fc.record({ do: fc.constant(name) })

const weighted: ReadonlyArray<fc.WeightedArbitrary<Command>> = [
  { weight: 6, arbitrary: only("look") },
  { weight: 1, arbitrary: only("runOut") },
  { weight: 1, arbitrary: only("again") },
  { weight: 2, arbitrary: only("settle") },
  { weight: 3, arbitrary: only("enable") },
  { weight: 1, arbitrary: only("revoke") },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("plan" as const),
      kind: fc.constantFrom("activation" as const, "activation" as const, "revocation" as const)
    })
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant("use" as const),
      amount: fc.integer({ min: 1, max: 1_000 }),
      conduct: fc.constantFrom(
        "alone" as const,
        "nested" as const,
        "among-others" as const,
        "dropped" as const
      )
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 8 }) })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("reorg" as const),
      depth: fc.integer({ min: 1, max: 64 }),
      into: fc.constantFrom("nothing" as const, "the same" as const, "another shape" as const)
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fault" as const),
      fault: fc.constantFrom("drop" as const, "lost" as const, "reset" as const)
    })
  }
]

const command = fc.oneof(...weighted)

/** Few sessions lose their bot's grant, and late. */
const ending: fc.Arbitrary<ReadonlyArray<Command>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constant([{ do: "revokeGrant" as const }, { do: "look" as const }]) }
)

/** Enabled first, most often, or nothing could be used. */
export const heldSequence: fc.Arbitrary<ReadonlyArray<Command>> = fc
  .tuple(
    fc.constantFrom<ReadonlyArray<Command>>(
      [{ do: "enable" }, { do: "look" }],
      [{ do: "plan", kind: "activation" }, { do: "enable" }],
      []
    ),
    fc.array(command, { minLength: 6, maxLength: 20 }),
    ending
  )
  .map(parts => parts.flat())
