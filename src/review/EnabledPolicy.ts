/** The session that a call enables, in words, and what keeps it from being one. */
import { type Enabling, enablingIn } from "../sessions/Enabling.ts"
import { NATIVE_ASSET } from "../sessions/KnownRights.ts"
import { decodePolicy } from "../sessions/Policy.ts"
import { type NamedAsset, type PolicyNames, policyAssets, policySentences } from "../sessions/PolicyWords.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { type Tokens, tokenKey } from "./Amounts.ts"
import type { Contracts, ExplainedCall, ExplainedEnabling } from "./ExplainCall.ts"
import { isEnable, isInstallation, SESSION_GUARD_ID } from "./GuardCalls.ts"
import { type Clause, counted, said, say } from "./sentences/Speech.ts"
import { instantText } from "./Times.ts"
import { exact, type ReviewRow, row, toned, words } from "./Words.ts"

type Read = Pick<ExplainedCall, "contract" | "method" | "values">

const isHex = (value: unknown): value is Hex => typeof value === "string" && value.startsWith("0x")

/** Undefined where the call enables none. */
const enablingOf = (read: Read): Enabling | undefined => {
  const [first, second, third] = read.values
  if (isEnable(read) && typeof first === "bigint" && isHex(second))
    return { expectedEnableNonce: first, encoded: second }
  return isInstallation(read) && isHex(third) ? enablingIn(third) : undefined
}

const isGuard = ({ get }: Pick<Contracts, "get">, chainId: number, module: unknown): boolean =>
  get(SESSION_GUARD_ID)
    ?.deployments.find(deployment => deployment.chainId === chainId)
    ?.instances.some(({ address }) => address.toLowerCase() === String(module).toLowerCase()) === true

const VALIDATOR = 1n

/** Why the call is not one by which a session is enabled. */
const dangersOf = (
  contracts: Pick<Contracts, "get">,
  chainId: number,
  read: Read,
  encoded: Hex | undefined
): ReadonlyArray<string> => {
  const [kind, module] = read.values
  if (isInstallation(read) && (kind !== VALIDATOR || !isGuard(contracts, chainId, module)))
    return ["the wallet would get a module that is no guard which is known here"]
  return encoded === undefined || decodePolicy(encoded) === undefined
    ? ["the bytes that it enables are no policy of a session"]
    : []
}

const NAMES = {
  key: "key",
  right: "right",
  allocation: "limit",
  gas: "gas",
  payer: "payer",
  end: "beside"
} as const

export const PAID_AND_ADMINISTERED = [
  "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal",
  "@bananapus/core-v6:src/JBController.sol:JBController",
  "@bananapus/router-terminal-v6:src/JBRouterTerminal.sol:JBRouterTerminal",
  "@bananapus/router-terminal-v6:src/JBRouterTerminalRegistry.sol:JBRouterTerminalRegistry"
]

/** Nothing where the catalog was not asked for any of them. */
const publishedOn = ({ get }: Pick<Contracts, "get">, chainId: number): Pick<PolicyNames, "published"> => {
  const found = PAID_AND_ADMINISTERED.flatMap(id => get(id) ?? [])
  if (found.length === 0) return {}
  const published = found
    .flatMap(({ deployments }) => deployments)
    .filter(deployment => deployment.chainId === chainId)
    .flatMap(({ instances }) => instances.map(({ address }) => address))
  return { published }
}

const rowsOf = (encoded: Hex, names: PolicyNames): ReadonlyArray<ReviewRow> =>
  (policySentences(encoded, names) ?? []).map(({ about, text, isDoubtful }) =>
    toned(isDoubtful ? "warning" : "key", row(NAMES[about], words(text)))
  )

const clauseOf = (encoded: Hex, self: string): Clause | undefined => {
  const policy = decodePolicy(encoded)
  if (policy === undefined) return undefined
  const { sessionKey, actions, maximumCalls, validAfter, validUntil } = policy
  const [from, until] = [validAfter, validUntil].map(seconds => instantText(seconds * 1000))
  return say`let the key ${[exact(sessionKey)]} act for ${said(self)} within a policy of ${said(counted(actions.length, "right"))}, by ${said(counted(maximumCalls, "call"))} at most, from ${said(`${from} until ${until}`)}`
}

const namedBy = (
  tokens: Tokens,
  chainId: number,
  assets: ReadonlyArray<Address>
): ReadonlyArray<NamedAsset> =>
  assets.flatMap(address => {
    const facts = tokens.get(tokenKey(chainId, address))
    return facts === undefined ? [] : [{ ...facts, address }]
  })

/** Of a call that is to enable a session. */
export const enabledBy = (
  contracts: Pick<Contracts, "get">,
  chainId: number,
  read: Read
): ExplainedEnabling => {
  const encoded = enablingOf(read)?.encoded
  const assets = (encoded === undefined ? [] : (policyAssets(encoded) ?? [])).filter(
    asset => asset !== NATIVE_ASSET
  )
  return {
    assets,
    dangers: dangersOf(contracts, chainId, read, encoded),
    rowsFor: tokens =>
      encoded === undefined
        ? []
        : rowsOf(encoded, {
            assets: namedBy(tokens, chainId, assets),
            ...publishedOn(contracts, chainId)
          }),
    clauseFor: self => (encoded === undefined ? undefined : clauseOf(encoded, self))
  }
}
