/** Where the bytes of a policy say something else than what was asked for. */
import { decodePolicy } from "../../sessions/Policy.ts"
import type { SessionAction, SessionPolicy } from "../../sessions/PolicyShape.ts"
import type { Hex } from "../../values/Scalars.ts"

type Told = ReadonlyArray<readonly [what: string, value: string]>

const told = (of: string, members: Readonly<Record<string, unknown>>): Told =>
  Object.entries(members).map(([name, value]) => [`${of}${name}`, String(value)])

const rulesText = ({ rules }: SessionAction): string =>
  rules.map(({ condition, offset, word }) => `${offset} ${condition === 0 ? "is" : "≤"} ${word}`).join(", ")

const ofAction = (action: SessionAction, index: number): Told =>
  told(`right ${index + 1}: `, {
    "the contract": action.target,
    "the contract's code": action.codeHash,
    "the function": action.selector,
    "whether it carries native currency": action.valueMode === 0 ? "no" : "yes",
    "the limit that counts it": action.allocation,
    "the length of its arguments": `${action.minimumLength} to ${action.maximumLength}`,
    "the most of one call": action.perCall,
    "the most in all": action.total,
    "what its arguments are held to": rulesText(action)
  })

const ofAllocation = ({ id, asset, limit }: SessionPolicy["allocations"][number], index: number): Told =>
  told(`limit ${index + 1}: `, { "its name": id, "its asset": asset, "how much it is": limit })

const ofGas = ({ gas }: SessionPolicy): Told =>
  told("gas: ", {
    "who pays": gas.paymaster,
    "the payer's code": gas.paymasterCodeHash,
    "the bytes that the payer is told": gas.paymasterDataLength,
    "the most of one operation": gas.maxGasPerOperation,
    "the highest price": gas.maxFeePerGas,
    "the highest tip": gas.maxPriorityFeePerGas,
    "the most in all": gas.totalGas,
    "the highest cost in all": gas.totalCost
  })

const all = (policy: SessionPolicy): ReadonlyMap<string, string> =>
  new Map([
    ...told("", {
      "the key": policy.sessionKey,
      "the generation": policy.generation,
      "the nonce": policy.nonce,
      "the start": policy.validAfter,
      "the end": policy.validUntil,
      "the number of calls": policy.maximumCalls,
      "the number of rights": policy.actions.length,
      "the number of limits": policy.allocations.length
    }),
    ...policy.actions.flatMap(ofAction),
    ...policy.allocations.flatMap(ofAllocation),
    ...ofGas(policy)
  ])

const NOTHING = "nothing"

const plain = (value: string): string => value.toLowerCase()

/** None where the bytes are exactly what was asked for. */
export const policyDifferences = (asked: SessionPolicy, encoded: Hex): ReadonlyArray<string> => {
  const policy = decodePolicy(encoded)
  if (policy === undefined) return ["The bytes that would be enabled are no policy of a session."]
  const [wanted, said] = [all(asked), all(policy)]
  return [...new Set([...wanted.keys(), ...said.keys()])].flatMap(what => {
    const [before, now] = [wanted.get(what) ?? NOTHING, said.get(what) ?? NOTHING]
    return plain(before) === plain(now)
      ? []
      : [
          `${what.charAt(0).toUpperCase()}${what.slice(1)}: ${before} was asked for, and the bytes say ${now}.`
        ]
  })
}
