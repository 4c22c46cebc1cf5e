import { assert, it } from "vitest"
import { acceptedTwice } from "./crash/Audit.ts"

const told = (nonce: string, code?: string, crowded = false) => ({ nonce, code, crowded })

it("a request that was taken twice is found, whatever it was answered", () => {
  const answers = [told("a"), told("a"), told("b", "INVALID_REQUEST"), told("b"), told("c")]
  assert.deepStrictEqual(acceptedTwice(answers), ["a", "b"])
})

it("a request that was refused before its nonce was kept may be taken once after that", () => {
  const answers = [told("a", "STORAGE_LIMIT", true), told("a", "STORAGE_LIMIT", true), told("a")]
  assert.deepStrictEqual(acceptedTwice([...answers, told("b", "NONCE_REUSED"), told("b")]), [])
})

it("a bound that is reached after the nonce was kept counts as taken", () => {
  assert.deepStrictEqual(acceptedTwice([told("a", "STORAGE_LIMIT"), told("a", "STORAGE_LIMIT")]), ["a"])
})
