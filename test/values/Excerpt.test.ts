import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { parseQuery } from "../../src/http/RequestTarget.ts"
import { misfitOf } from "../../src/values/Expectation.ts"
import { parseStrictJson } from "../../src/values/StrictJson.ts"

const FACE = "\u{1f600}"
/** Whichever the length at which a text ends, it falls within a pair of one of the two. */
const TEXTS = [FACE.repeat(400), `a${FACE.repeat(400)}`]

const isTakenBack = (told: unknown) => Either.isRight(parseStrictJson(JSON.stringify(told)))

describe("what is quoted of a text is never half of a character", () => {
  it("of a parameter that nobody knows", () => {
    for (const text of TEXTS) {
      const refused = Either.flip(
        parseQuery(`${encodeURIComponent(text)}=1`, { queryNames: [], queryChoices: {} })
      )
      assert.isTrue(isTakenBack(Either.getOrThrow(refused).context))
    }
  })

  it("of a member that is there twice", () => {
    for (const text of TEXTS) {
      const refused = Either.flip(parseStrictJson(`{"${text}":1,"${text}":1}`))
      assert.isTrue(isTakenBack(Either.getOrThrow(refused).context))
    }
  })

  it("of a value that does not fit", () => {
    for (const text of TEXTS) {
      const refused = Either.flip(Schema.decodeUnknownEither(Schema.Int)(text))
      assert.isTrue(isTakenBack(misfitOf(Either.getOrThrow(refused)).expected))
    }
  })
})
