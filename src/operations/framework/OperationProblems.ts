/** What operations refuse with besides what each declares. */
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import { INDEXER_PROBLEMS } from "../../indexer/refusals.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import type { Refused } from "../../values/Refusal.ts"
import type { SourceClass } from "./Sources.ts"

/** By what an answer rests on. */
export const PROBLEMS_BY_SOURCE = {
  onchain: [
    ...CHAIN_PROBLEMS,
    "BLOCK_UNAVAILABLE",
    "CALL_REVERTED",
    "ABI_ARGUMENT_INVALID",
    "DEPLOYMENT_UNAVAILABLE",
    "DEPLOYMENT_CODE_MISSING"
  ],
  indexer: [
    ...INDEXER_PROBLEMS,
    "INDEXER_INVALID_INPUT",
    "INDEXER_UNSAFE_INTEGER",
    "INDEXER_NETWORK_MISMATCH",
    "INDEXER_UNSUPPORTED_SCOPE",
    "INDEXER_UNSUPPORTED_ENTITY",
    "INDEXER_INVALID_FIELDS",
    "INDEXER_VERSION_MISMATCH",
    "INDEXER_RELATION_UNAVAILABLE"
  ],
  model: [],
  service: [],
  reference: []
} as const satisfies Readonly<Record<SourceClass, ReadonlyArray<ProblemCode>>>

/** Of every plan, by its input, its calls and its wallet. */
export const PLAN_PROBLEMS = [
  "INVALID_INPUT",
  "INVALID_PLAN_CALL",
  "INSUFFICIENT_BALANCE",
  "SIMULATION_REVERTED",
  "UPSTREAM_FAILURE"
] as const satisfies ReadonlyArray<ProblemCode>

/** What may have kept away a value that a plan cannot do without. */
export const keptAwayBy = <Own extends ProblemCode>({
  problems
}: {
  readonly problems: ReadonlyArray<Own>
}) => [...PROBLEMS_BY_SOURCE.onchain, ...problems]

type Always = "INVALID_INPUT" | "DATABASE_UNAVAILABLE"

type OfSource<From extends SourceClass> = (typeof PROBLEMS_BY_SOURCE)[From][number]

/** The refusals that an operation may end with: those of what it rests on, and its own. */
export type RefusedAnswer<From extends SourceClass, Own extends ProblemCode> = Refused<
  Always | OfSource<From> | Own
>

/** Those that the preparation of a plan may end with. */
export type RefusedDraft<Own extends ProblemCode> = RefusedAnswer<
  "onchain",
  Own | (typeof PLAN_PROBLEMS)[number]
>
