import { Ajv2020 } from "ajv/dist/2020.js"
import { assert, describe, it } from "vitest"
import { withDraft } from "../../../src/console/doing/fields/Draft.ts"
import type { InputField } from "../../../src/console/doing/fields/InputField.ts"
import { draftOf, startDraft } from "../../../src/console/doing/fields/WriteDraft.ts"
import { planIds } from "../../../src/operations/generated/OperationIds.ts"
import {
  AROUND,
  formFor,
  inputFor,
  inputRead,
  isAccepted,
  KNOWN,
  misfitsRead,
  schemaFor
} from "./support/Forms.ts"

const ajv = new Ajv2020({ strict: false, code: { optimize: false } })

/** What is typed as text and has to be there: every such field of the form, with its path. */
const needed = (field: InputField, path: ReadonlyArray<string | number> = []): ReadonlyArray<string> => {
  const { shape } = field
  if (!field.isRequired) return []
  if (shape.kind === "group") return shape.fields.flatMap(each => needed(each, [...path, each.name]))
  if (shape.kind === "list")
    return Array.from({ length: shape.least }).flatMap((_, at) => needed(shape.item, [...path, at]))
  const isTyped = ["number", "digits", "address"].includes(shape.kind)
  return isTyped && field.empty === undefined ? [path.join(".")] : []
}

const emptied = (form: InputField) =>
  needed(form).reduce(
    (draft, path) =>
      withDraft(
        draft,
        path.split(".").map(step => (/^[0-9]+$/.test(step) ? Number(step) : step)),
        ""
      ),
    startDraft(form, KNOWN)
  )

describe("the forms of the operations that prepare plans", () => {
  it("are eighteen", () => {
    assert.lengthOf(planIds, 18)
  })

  for (const id of planIds) {
    it(`${id}: what is typed for an input gives exactly this input, which the service takes`, () => {
      const form = formFor(id)
      const input = inputFor(id)
      const read = inputRead(form, draftOf(form, input, AROUND))
      assert.deepStrictEqual(read, input)
      assert.isTrue(isAccepted(id, read))
      const validate = ajv.compile(schemaFor(id))
      assert.isTrue(validate(read), ajv.errorsText(validate.errors))
    })

    it(`${id}: each member that is needed is refused while it is empty`, () => {
      const form = formFor(id)
      const found = new Set(misfitsRead(form, emptied(form)).map(({ path }) => path.join(".")))
      const missing = needed(form)
      assert.isNotEmpty(missing)
      for (const path of missing) assert.isTrue(found.has(path), path)
    })

    it(`${id}: every field has a label, a rule in words, and a schema that is understood`, () => {
      const seen: Array<string> = []
      const look = ({ label, rule, shape, name }: InputField): void => {
        seen.push(shape.kind)
        assert.match(label, /^[A-Z0-9]/, name)
        if (["number", "digits", "address"].includes(shape.kind))
          assert.notStrictEqual(rule, "of another form", name)
        if (shape.kind === "group") shape.fields.forEach(look)
        if (shape.kind === "list") look(shape.item)
      }
      look(formFor(id))
      assert.isAbove(seen.length, 3)
    })
  }
})
