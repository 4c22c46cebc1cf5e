/** The classic signing mistakes, each as the digest that a client who made it would have signed; eight at most. */
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { ServiceRequest } from "../values/TypedData.ts"
import { requestDigest, saltlessRequestDigest } from "../values/TypedDataHash.ts"
import { bodyForms } from "./BodyForms.ts"

/** A request as the service saw it. */
export interface SignedView {
  readonly signed: ServiceRequest
  readonly chainId: number
  readonly body: Uint8Array
  /** Chains that the signer's wallet may have been connected to instead. */
  readonly otherChainIds: ReadonlyArray<number>
}

export interface Mistake {
  readonly cause:
    | "query-dropped"
    | "body-reserialised"
    | "content-type"
    | "wrong-audience"
    | "wrong-chain"
    | "salt-missing"
  readonly digest: () => Uint8Array
}

const MAXIMUM_REHASHES = 8

const message =
  (cause: Mistake["cause"], { signed, chainId }: SignedView) =>
  (change: Partial<ServiceRequest>): Mistake => {
    const mistaken = { ...signed, ...change }
    return { cause, digest: () => requestDigest(mistaken.audience, chainId, mistaken) }
  }

const LOCAL_TWINS: ReadonlyArray<readonly [string, string]> = [
  ["//localhost", "//127.0.0.1"],
  ["//127.0.0.1", "//localhost"],
  ["//[::1]", "//localhost"]
]

const audienceVariants = (audience: string): ReadonlyArray<string> => {
  const otherScheme = audience.startsWith("https:")
    ? audience.replace(/^https:/, "http:")
    : audience.replace(/^http:/, "https:")
  const twins = LOCAL_TWINS.filter(([from]) => audience.includes(from))
  return [`${audience}/`, ...twins.map(([from, to]) => audience.replace(from, to)), otherScheme]
}

const contentTypeVariants = (sent: string): ReadonlyArray<string> => {
  const essence = sent.split(";", 1).join("").trim()
  const likely = [essence, "", "application/json", "application/json; charset=utf-8"]
  return [...new Set(likely)].filter(contentType => contentType !== sent)
}

const inTurns = <A>(groups: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> => {
  const longest = Math.max(...groups.map(group => group.length))
  return Array.from({ length: longest }, (_, round) =>
    groups.flatMap(group => group.slice(round, round + 1))
  ).flat()
}

/** Every kind of mistake gets its first try before any gets a second. */
export const mistakes = (view: SignedView): ReadonlyArray<Mistake> => {
  const { signed, chainId, body } = view
  const path = signed.requestTarget.split("?", 1).join("")
  const chainIds = [...new Set([1, ...view.otherChainIds])].filter(other => other !== chainId)
  const salt: Mistake = {
    cause: "salt-missing",
    digest: () => saltlessRequestDigest(signed.audience, chainId, signed)
  }
  return inTurns<Mistake>([
    audienceVariants(signed.audience).map(audience => message("wrong-audience", view)({ audience })),
    chainIds.map(other => message("wrong-chain", { ...view, chainId: other })({})),
    [salt],
    path === signed.requestTarget ? [] : [message("query-dropped", view)({ requestTarget: path })],
    bodyForms(body).map(text => message("body-reserialised", view)({ bodyHash: keccak256Utf8(text) })),
    contentTypeVariants(signed.contentType).map(contentType => message("content-type", view)({ contentType }))
  ]).slice(0, MAXIMUM_REHASHES)
}
