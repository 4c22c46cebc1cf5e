/** What false services tell: each member of an honest answer another one, and an owner who counts what it is asked. */
import { assert } from "vitest"
import { AlteredPlan } from "../../../src/client/Errors.ts"
import type { Signer } from "../../../src/client/Signer.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { walletOwners } from "../../smartaccounts/support/Wallets.ts"

export const [first = assert.fail("no owner"), second = assert.fail("one owner")] = walletOwners

export const OTHER: Address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

/** An owner whose wallet counts how often it is asked. */
export const counting = () => {
  let asked = 0
  const signer: Signer = {
    address: first.address,
    signTypedData: async () => {
      asked += 1
      return `0x${"11".repeat(65)}`
    }
  }
  return { signer, asked: () => asked }
}

export const isAltered = async (work: Promise<unknown>) => {
  const failure = await work.then(
    () => undefined,
    (caught: unknown) => caught
  )
  assert.instanceOf(failure, AlteredPlan)
}

export const isRefused = async (signing: (signer: Signer) => Promise<unknown>) => {
  const { signer, asked } = counting()
  await isAltered(signing(signer))
  assert.strictEqual(asked(), 0)
}

/** Another value of the same kind. */
const another = (value: unknown): unknown => {
  if (typeof value === "number") return value + 1
  if (Array.isArray(value)) return value.length > 1 ? value.slice(1) : [...value, OTHER]
  if (typeof value !== "string") return Object.fromEntries(Object.entries(Object(value)).slice(1))
  if (/^0x[0-9a-fA-F]{40}$/.test(value)) return OTHER
  if (/^0x[0-9a-f]+$/.test(value)) return value.replace(/.$/, digit => (digit === "1" ? "2" : "1"))
  return /^[0-9]+$/.test(value) ? String(BigInt(value) + 1n) : `${value}x`
}

/** A copy in which the member at the end of the path is another. */
export const altered = <A>(whole: A, path: string): A => {
  const copy = structuredClone(whole)
  const names = path.split(".")
  const last = names.pop() ?? ""
  const holder = names.reduce((place: unknown, name) => Reflect.get(Object(place), name), copy as unknown)
  assert.isDefined(Reflect.get(Object(holder), last), path)
  Reflect.set(Object(holder), last, another(Reflect.get(Object(holder), last)))
  return copy
}
