/** Whether the owner's own request asks for exactly one dispatch, read from the very bytes that the owner signed. */
import { Either, Option, Schema } from "effect"
import { keccak256 } from "../values/Keccak.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { parseStrictJsonBytes } from "../values/StrictJson.ts"
import { submissionHash } from "../values/TypedDataSubmission.ts"
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

interface Published {
  readonly sponsorshipId: string
  readonly commitment: Bytes32
  readonly submissionHash: Bytes32
}

const decodePublication = Schema.decodeUnknownOption(strict({ signatures: Schema.Array(Schema.String) }))

/** Whether it gives exactly these forwarding signatures for this sponsorship. */
export const asksToPublish = ({ method, target, body }: Transmitted, published: Published): boolean => {
  const { sponsorshipId, commitment } = published
  if (method !== "POST" || target !== `/api/v1/sponsorships/${sponsorshipId}/submissions`) return false
  const given = Option.flatMap(Either.getRight(parseStrictJsonBytes(body)), decodePublication)
  const hash = Option.flatMap(given, ({ signatures }) => submissionHash(commitment, signatures))
  return Option.contains(hash, published.submissionHash)
}
