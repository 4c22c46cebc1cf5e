/** Whether the owner's own request asks for exactly one dispatch, read from the very bytes that the owner signed. */
import { Either, Schema } from "effect"
import { keccak256 } from "../values/Keccak.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { parseStrictJsonBytes } from "../values/StrictJson.ts"
import type { Transmitted } from "./SignedRequest.ts"

interface Dispatched {
  readonly planId: string
  readonly stepIndex: number
  readonly transactionHash: Bytes32
}

const StepBody = strict({ rawSignedTransaction: Schema.String })
const BundleBody = strict({
  submissions: Schema.Array(strict({ stepIndex: Schema.Int, rawSignedTransaction: Schema.String }))
})

const decodeStep = Schema.decodeUnknownEither(StepBody)
const decodeBundle = Schema.decodeUnknownEither(BundleBody)

const ofStep = (json: unknown): ReadonlyArray<string> =>
  Either.match(decodeStep(json), { onLeft: () => [], onRight: body => [body.rawSignedTransaction] })

const ofBundle = (json: unknown, step: number): ReadonlyArray<string> =>
  Either.match(decodeBundle(json), {
    onLeft: () => [],
    onRight: ({ submissions }) =>
      submissions.filter(({ stepIndex }) => stepIndex === step).map(item => item.rawSignedTransaction)
  })

/** The transactions that the request gives for the step; none where its path is no submission of it. */
const givenFor = ({ target, body }: Transmitted, { planId, stepIndex }: Dispatched) => {
  const json = Either.getOrUndefined(parseStrictJsonBytes(body))
  if (target === `/api/v1/plans/${planId}/submissions`) return ofBundle(json, stepIndex)
  return target === `/api/v1/plans/${planId}/steps/${stepIndex}/submissions` ? ofStep(json) : []
}

const hashOf = (raw: string) => keccak256(Buffer.from(raw.slice(2), "hex"))

export const asksFor = (request: Transmitted, dispatched: Dispatched): boolean => {
  const [raw, ...others] = givenFor(request, dispatched)
  if (request.method !== "POST" || raw === undefined || others.length > 0) return false
  return hashOf(raw) === dispatched.transactionHash
}
