import { Option } from "effect"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { submissionHash } from "../../src/values/TypedDataSubmission.ts"
import { word } from "./Vector.ts"

const signature = (byte: string) => `0x${byte.repeat(65)}`

const submission = (name: string, signatures: ReadonlyArray<string>) => {
  const commitment = word("c0")
  const hash = Option.getOrNull(submissionHash(commitment, signatures))
  const canonical = canonicalJson({ commitment, signatures: signatures.map(each => each.toLowerCase()) })
  return { name, commitment, signatures, canonical: hash && canonical, submissionHash: hash }
}

export const submissions = [
  submission("one", [signature("0a")]),
  submission("two", [signature("0a"), signature("0b")]),
  submission("two-reordered", [signature("0b"), signature("0a")]),
  submission("upper-case", [signature("0A")]),
  submission("repeated", [signature("0a"), signature("0a")]),
  submission(
    "thirty-two",
    Array.from({ length: 32 }, (_, index) => signature(index.toString(16).padStart(2, "0")))
  ),
  submission("none", []),
  submission(
    "thirty-three",
    Array.from({ length: 33 }, () => signature("0a"))
  ),
  submission("64-bytes", [signature("0a").slice(0, -2)]),
  submission("no-hexadecimal", [signature("zz")])
]
