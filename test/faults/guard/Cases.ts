/** Random lives of a wallet's guard: what it is told, one after the other, and what stands around it meanwhile. */
import { keccak256 } from "viem"
import { permissionIdOf } from "../../../src/sessions/Compile.ts"
import { installationData } from "../../../src/sessions/Enabling.ts"
import { encodePolicy } from "../../../src/sessions/Policy.ts"
import type { SessionPolicy } from "../../../src/sessions/PolicyShape.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { CHAIN_ID } from "../../sessions/support/Guarded.ts"
import { type TestKey, testKey } from "../../signatures/TestKeys.ts"
import { GUARD } from "../../smartaccounts/support/Wallets.ts"
import { type Dice, dice } from "../../support/Dice.ts"
import { allowedDraft, type Drafted, draftChanges, drafted, type Signer } from "./Operations.ts"
import { addressOf, encodingChanges, type Place, policyChanges, randomPolicy } from "./Policies.ts"

export type Step =
  | { readonly does: "install" | "uninstall"; readonly data: Hex }
  | { readonly does: "enable"; readonly nonce: bigint; readonly encoded: Hex }
  | { readonly does: "revoke"; readonly permissionId: Hex }
  | ({ readonly does: "validate" } & Drafted)

export interface Phase {
  /** Put in place before the steps. */
  readonly codes: ReadonlyMap<Address, Hex>
  readonly steps: ReadonlyArray<Step>
}

export interface Case {
  readonly place: Place
  readonly phases: ReadonlyArray<Phase>
  /** Whatever was ever asked for. */
  readonly permissionIds: ReadonlyArray<Hex>
}

const KEYS: ReadonlyArray<TestKey> = [1, 2, 3].map(number => testKey(`guard campaign key ${number}`))

const placeOf = (die: Dice, index: number, now: number): Place & { readonly key: TestKey } => {
  const base = (0xcafen << 128n) | (BigInt(index + 1) << 16n)
  const at = (offset: number): Address => addressOf(base + BigInt(offset))
  const targets = [at(1), at(2), at(3)]
  const key = die.pick(KEYS)
  return {
    key,
    account: at(0),
    targets,
    paymaster: at(4),
    codes: new Map(
      [...targets, at(4)].map((address, number) => [address, `0x00${number + 1}${number + 1}`] as const)
    ),
    person: at(5),
    nobody: at(6),
    sessionKey: checksummed(key.address),
    now
  }
}

const installData = (expectedEnableNonce: bigint, encoded: Hex): Hex =>
  installationData({ expectedEnableNonce, encoded })

const enabling = (policy: SessionPolicy, nonce = 0n): Step => ({
  does: "enable",
  nonce,
  encoded: encodePolicy(policy)
})

const INSTALLED: Step = { does: "install", data: "0x" }

export const casesOf = (seed: number, from: number, to: number, now: (index: number) => number) =>
  Array.from({ length: to - from }, (_, at) => caseOf(seed, from + at, now(from + at)))

const caseOf = (seed: number, index: number, now: number): Case => {
  const die = dice(seed + 7_919 * index)
  const place = placeOf(die, index, now)
  const policy = randomPolicy(die, place)
  const signer = (of: SessionPolicy): Signer => ({
    key: place.key,
    policy: of,
    permissionId: permissionIdOf({ chainId: CHAIN_ID, guard: GUARD, account: place.account }, of)
  })
  const life = LIVES[index % LIVES.length] ?? usage
  return life({ die, place, policy, signer, index })
}

interface Start {
  readonly die: Dice
  readonly place: Place
  readonly policy: SessionPolicy
  readonly signer: (policy: SessionPolicy) => Signer
  readonly index: number
}

type Life = (start: Start) => Case

const round = <A>(all: ReadonlyArray<A>, index: number): A => {
  const found = all[index % all.length]
  if (found === undefined) throw new Error("nothing to choose from")
  return found
}

const validating = ({ die, place, signer }: Start, policy: SessionPolicy, change?: number): Step => {
  const by = signer(policy)
  const allowed = allowedDraft(die, place, by)
  const other = change === undefined ? {} : round(draftChanges, change)(allowed, die, place, policy)
  return { does: "validate", ...drafted({ ...allowed, ...other }, by, die.bytes(32)) }
}

const times = <A>(count: number, each: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => each(index))

/** Used as it may be, then otherwise; once more with other code around it, and after its end. */
const usage: Life = start => {
  const { die, place, policy, signer, index } = start
  const { permissionId } = signer(policy)
  const replaced = die.pick([...place.targets, place.paymaster])
  const codes = new Map([[replaced, die.pick<Hex>(["0x", "0x00aa"])]])
  const first = [INSTALLED, enabling(policy), ...times(1 + die.below(3), () => validating(start, policy))]
  const otherwise = times(3, each => validating(start, policy, 3 * (index >> 2) + each))
  const ended: ReadonlyArray<Step> = [
    { does: "revoke", permissionId },
    validating(start, policy),
    enabling(policy, 1n)
  ]
  return {
    place,
    permissionIds: [permissionId],
    phases: [
      { codes: place.codes, steps: [...first, ...otherwise, validating(start, policy)] },
      { codes, steps: [...times(2, () => validating(start, policy)), ...ended] }
    ]
  }
}

/** Enabled where nothing or everything is wrong with it, by its members or by its bytes. */
const enablement: Life = start => {
  const { die, place, policy, signer, index } = start
  const change = round(
    [...policyChanges.map((_, at) => at), ...encodingChanges.map((_, at) => at - 1_000)],
    index >> 1
  )
  const changed = change < 0 ? policy : { ...policy, ...policyChanges[change]?.(policy, die, place) }
  const plain = encodePolicy(changed)
  const encoded = change < 0 ? (encodingChanges[change + 1_000]?.(plain, die) ?? plain) : plain
  const isAtOnce = die.chance(0.3)
  const once: Step = isAtOnce
    ? { does: "install", data: installData(0n, encoded) }
    : { does: "enable", nonce: 0n, encoded }
  const { actions } = changed
  const used =
    actions.length > 0 && actions.every(({ minimumLength }) => minimumLength >= 4)
      ? [validating(start, changed)]
      : []
  return {
    place,
    permissionIds: [signer(changed).permissionId, signer(policy).permissionId],
    phases: [
      { codes: place.codes, steps: [...(isAtOnce ? [] : [INSTALLED]), once, ...used, enabling(policy)] }
    ]
  }
}

/** Installed, enabled, revoked and uninstalled in any order, with the right nonce as a rule. */
const administration: Life = start => {
  const { die, place, policy, signer } = start
  const other = { ...policy, nonce: keccak256(policy.nonce) }
  const ids = [signer(policy).permissionId, signer(other).permissionId]
  let ends = 0
  const nonce = () => (die.chance(0.85) ? BigInt(ends) : BigInt(die.below(4)))
  const step = (): Step => {
    const chosen = die.pick([policy, other])
    switch (die.below(6)) {
      case 0:
        return {
          does: "install",
          data: die.chance(0.5) ? "0x" : oddInstall(die, installData(nonce(), encodePolicy(chosen)))
        }
      case 1:
        ends += 1
        return { does: "uninstall", data: die.bytes(die.below(3)) }
      case 2:
        ends += 1
        return {
          does: "revoke",
          permissionId: die.chance(0.9)
            ? die.pick(ids)
            : die.pick<Hex>([die.bytes(32), `0x${"00".repeat(32)}`])
        }
      case 3:
        return validating(start, chosen)
      default:
        return enabling(chosen, nonce())
    }
  }
  return {
    place,
    permissionIds: ids,
    phases: [{ codes: place.codes, steps: [...(die.chance(0.8) ? [INSTALLED] : []), ...times(9, step)] }]
  }
}

/** As it is, mostly. */
const oddInstall = (die: Dice, data: Hex): Hex =>
  die.chance(0.6)
    ? data
    : die.pick<Hex>([
        `${data}00`,
        `0x${data.slice(2, -2)}`,
        `0x${data.slice(2, -2)}01`,
        `0x01${data.slice(4)}`,
        `0x${data.slice(2, 128)}60${data.slice(130)}`,
        `0x${data.slice(2, 2 + 2 * die.below(100))}`,
        `0x${data.slice(2, 130)}${"ff".repeat(32)}${data.slice(194)}`
      ])

const LIVES: ReadonlyArray<Life> = [usage, enablement, administration, enablement]
