/** What commitments are hashed of, where JSON libraries differ: escapes, the order of members, absent ones, figures as text. */
import { createHash } from "node:crypto"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"

const commitment = (name: string, value: unknown) => {
  const canonical = canonicalJson(value)
  return { name, value, canonical, commitment: `0x${createHash("sha256").update(canonical).digest("hex")}` }
}

export const commitments = [
  commitment("nothing-to-escape", {
    memo: "Tom & Jerry <3 it's é 漢 😀 \u007f \u0080 \u2028 \u2029 /",
    label: ""
  }),
  commitment("escaped", { memo: 'a "quote", a \\ and \b\t\n\f\r \u0000\u001f' }),
  commitment("order-of-members", { b: 1, a: 2, A: 3, "10": 4, "9": 5, é: 6, "\u{1f600}": 7, "\uff5e": 8 }),
  commitment("nested", { calls: [{ value: "0", to: null }, []], warnings: [], isFinal: false, steps: {} }),
  commitment("numbers", {
    block: 25_511_120,
    timestamp: 1_785_000_000,
    zero: 0,
    largest: 9_007_199_254_740_991
  })
]
