/** How a restored database differs from what a chain shows: what is found again there, and what it alone knows. */
import { type Check, degradedCheck, failed, ok } from "../Checks.ts"
import { requestName, type SeenEvent, type SeenTransaction } from "./Seen.ts"
import type { BoundStep, KnownOperation, LinkedWallet, OpenStep, Request } from "./Stored.ts"

/** Before the database's step stands what the chain shows of it. */
const found = (name: string, stored: string, shown: string): Check =>
  degradedCheck(`found again: ${name}`, `stored: ${stored}; on the chain: ${shown}`)

const lost = (name: string, shown: string): Check => failed(`lost: ${name}`, shown)

const stepName = ({ plan, step }: { readonly plan: string; readonly step: number }) =>
  `plan ${plan} step ${step}`

const isCallOf = (transaction: SeenTransaction, step: OpenStep): boolean =>
  transaction.from === step.wallet &&
  transaction.to === step.to &&
  transaction.value === step.value &&
  transaction.data === step.data

/** Each step is carried by one transaction at most, the earliest. */
export const ownTransactions = (
  seen: ReadonlyArray<SeenTransaction>,
  open: ReadonlyArray<OpenStep>,
  bound: ReadonlyArray<BoundStep>
): ReadonlyArray<Check> => {
  const hashes = new Set(bound.map(({ hash }) => hash.toLowerCase()))
  const left = new Set(open)
  return seen
    .filter(({ hash }) => !hashes.has(hash))
    .map(transaction => {
      const { hash, from, nonce } = transaction
      const step = [...left].find(each => isCallOf(transaction, each))
      if (step === undefined)
        return lost(
          `nonce ${nonce} of ${from}`,
          `transaction ${hash} is of no step that is stored: admitted since the backup, or sent past the service`
        )
      left.delete(step)
      return found(stepName(step), "never submitted", `nonce ${nonce} of ${from}, transaction ${hash}`)
    })
}

/** Of steps that were admitted and are not stored as confirmed. */
export const unconfirmed = (
  bound: ReadonlyArray<BoundStep>,
  included: ReadonlySet<string>
): ReadonlyArray<Check> =>
  bound
    .filter(({ observed }) => observed !== "confirmed" && observed !== "reverted")
    .map(step =>
      found(
        stepName(step),
        `${step.observed ?? "admitted"} with transaction ${step.hash}`,
        `${included.has(step.hash) ? "included" : "not included"}; the service follows it by itself`
      )
    )

/** The mark's own words for a sponsorship that it lets leave no more. */
export const executedRequests = (
  seen: ReadonlyArray<SeenEvent>,
  requests: ReadonlyArray<Request>
): ReadonlyArray<Check> =>
  seen.flatMap(({ name, by, transaction }) => {
    const same = requests.filter(
      ({ forwarder, signer, nonce }) => forwarder === by && requestName(signer, nonce) === name
    )
    if (same.some(({ published }) => published)) return []
    if (same.length === 0)
      return [
        lost(
          `request ${name}`,
          `executed by transaction ${transaction}, as the contract ${by} tells; no sponsorship that is stored has it`
        )
      ]
    return same.map(request =>
      found(
        `sponsorship ${request.sponsorship} step ${request.step}`,
        "never published",
        `a request of ${request.signer} with nonce ${request.nonce} was executed by transaction ${transaction}`
      )
    )
  })

export const carriedOperations = (
  seen: ReadonlyArray<SeenEvent>,
  operations: ReadonlyArray<KnownOperation>
): ReadonlyArray<Check> => {
  const byHash = new Map(operations.map(operation => [operation.hash, operation]))
  return seen.flatMap(({ name, by, transaction }) => {
    const operation = byHash.get(name)
    if (operation === undefined)
      return [
        lost(
          `operation ${name}`,
          `carried out by transaction ${transaction}, as the contract ${by} tells; none that is stored has this hash`
        )
      ]
    if (operation.claimed) return []
    return [
      found(
        `user operation ${operation.operation}`,
        "never sent",
        `operation ${name} was carried out by transaction ${transaction}`
      )
    ]
  })
}

export const livePermissions = (
  live: ReadonlyArray<LinkedWallet & { readonly permission: string }>,
  permissions: ReadonlyArray<string>
): ReadonlyArray<Check> =>
  live.flatMap(({ chainId, address, permission }) =>
    permissions.includes(`${chainId}:${address}:${permission}`)
      ? []
      : [
          lost(
            `session of ${address}`,
            `permission ${permission} is live on chain ${chainId}, and no session that is stored has it: revoke it there if nobody knows it`
          )
        ]
  )

/** What a node did not give is a failure too, and nothing lost. */
export const summary = (chainId: number, differences: ReadonlyArray<Check>, blocks: number): Check => {
  const named = (word: string) => differences.filter(({ name }) => name.startsWith(`${word}: `))
  const [found, missing] = [named("found again"), named("lost")]
  const told = `${blocks} blocks looked at: ${found.length} found again, ${missing.length} lost`
  return differences.length === found.length + missing.length
    ? ok(`chain ${chainId}`, told)
    : degradedCheck(`chain ${chainId}`, `${told}, and not all was compared`)
}
