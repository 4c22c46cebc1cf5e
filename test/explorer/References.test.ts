import { assert, describe, it } from "vitest"
import { resolveSubtree } from "../../src/explorer/References.ts"

const document = {
  paths: {
    "/things/{id}": {
      get: {
        responses: {
          "200": { $ref: "#/components/responses/a~1b%20c", description: "of this route" },
          "404": { $ref: "#/components/responses/gone" }
        },
        parameters: [{ $ref: "elsewhere.json#/id" }, { $ref: "#/components/schemas/Tree" }]
      }
    }
  },
  components: {
    responses: { "a/b c": { description: "shared", content: [{ $ref: "#/components/schemas/Leaf" }] } },
    schemas: {
      Leaf: { type: "string" },
      Tree: { type: "object", properties: { below: { $ref: "#/components/schemas/Tree" } } }
    }
  }
}

const at = (...path: ReadonlyArray<string>) => resolveSubtree(document, path)

describe("the reference's own references", () => {
  it("are followed wherever they lead within the description, and what stands beside one wins", async () => {
    assert.deepStrictEqual(await at("paths", "/things/{id}", "get", "responses", "200"), {
      errors: [],
      spec: {
        description: "of this route",
        content: [{ type: "string", $$ref: "#/components/schemas/Leaf" }],
        $$ref: "#/components/responses/a~1b%20c"
      }
    })
  })

  it("stay where they lead back to themselves, elsewhere or nowhere", async () => {
    const below = { $ref: "#/components/schemas/Tree" }
    assert.deepStrictEqual((await at("paths", "/things/{id}", "get", "parameters")).spec, [
      { $ref: "elsewhere.json#/id" },
      { type: "object", properties: { below }, $$ref: "#/components/schemas/Tree" }
    ])
    assert.deepStrictEqual((await at("paths", "/things/{id}", "get", "responses", "404")).spec, {
      $ref: "#/components/responses/gone"
    })
  })

  it("of a part that is not there are none", async () => {
    assert.deepStrictEqual(await at("paths", "/nothing", "get"), { errors: [], spec: null })
  })
})
