/** What a team could add: an answer, and a group of routes with a refusal. */
import { Context, Effect, Layer, Schema } from "effect"
import {
  Address,
  declareEndpoint,
  definePlanOperation,
  defineReadOperation,
  defineRoutes,
  effects,
  open,
  Principal,
  Project,
  Refusal,
  reply,
  signed,
  strict
} from "../../src/service/main.ts"

export class Greeting extends Context.Tag("x/greeters/Greeting")<Greeting, { readonly word: string }>() {
  static readonly layer = Layer.succeed(Greeting, { word: "Hello" })
}

class Unknown extends Refusal("PROJECT_NOT_FOUND") {}

export const greet = defineReadOperation({
  id: "greet_project",
  kind: "read",
  sources: ["service"],
  title: "Greet a project",
  description: "Says a word to a project, which is of no use to anybody.",
  input: strict({ project: Project }),
  output: strict({ words: Schema.String }),
  problems: ["PROJECT_NOT_FOUND"],
  run: ({ project }) =>
    project.projectId === "13"
      ? Effect.fail(new Unknown())
      : Effect.map(Greeting, ({ word }) => ({ words: `${word}, ${project.projectId}` }))
})

export const prepareGreeting = definePlanOperation({
  id: "prepare_greeting",
  plan: "greeting",
  sources: ["onchain"],
  title: "Prepare a greeting",
  description: "Plans nothing at all, for nothing is there to greet.",
  input: strict({ project: Project, account: Address }),
  summary: strict({ words: Schema.String }),
  problems: [],
  effects: effects.planEffects({ "JBProjects.approve(address,uint256)": effects.unmodeled("nobody asks") }),
  run: () =>
    Effect.succeed({
      calls: [],
      told: Effect.succeed({ summary: { words: "nothing" }, warnings: [] })
    })
})

const greeters = declareEndpoint({
  name: "listGreeters",
  method: "GET",
  at: "/greeters",
  access: open,
  summary: "List the greeters",
  description: "Whoever greets, by name.",
  success: strict({ greeters: Schema.Array(Schema.String) })
})

const ownGreeting = declareEndpoint({
  name: "greetCaller",
  method: "GET",
  at: "/me",
  access: signed({}),
  summary: "Greet who calls",
  description: "By the account that signed.",
  success: strict({ words: Schema.String })
})

export const routes = defineRoutes({
  prefix: "/api/v1/x/greeters",
  name: "Greeters",
  description: "Those who greet.",
  endpoints: [greeters, ownGreeting],
  handlers: {
    listGreeters: () => Effect.succeed(reply({ greeters: ["Ada"] })),
    greetCaller: () =>
      Effect.zipWith(Greeting, Principal, ({ word }, { accountId }) =>
        reply({ words: `${word}, ${accountId}` })
      )
  }
})
