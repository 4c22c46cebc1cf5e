import { address, integerField, token, type Verb } from "./Verb.ts"

const paired = token("terminalToken", "What the project's token is traded for")

const twap = integerField(
  "twap",
  "<seconds>",
  "twapWindowSeconds",
  "How far back the average price looks, 300 to 172800.",
  { needed: true }
)

export const routing: ReadonlyArray<Verb> = [
  {
    name: "buyback pool",
    operation: "prepare_buyback_pool",
    summary: "Name the pool from which a project's payments may buy; once for each token.",
    example: "service buyback pool --project 2 --fee 10000 --tick-spacing 200 --twap 1800",
    about: "project",
    fields: [
      paired,
      integerField("fee", "<hundredths of a basis point>", "fee", "The pool's fee.", { needed: true }),
      integerField("tick-spacing", "<ticks>", "tickSpacing", "The pool's tick spacing.", { needed: true }),
      twap
    ]
  },
  {
    name: "buyback twap",
    operation: "prepare_buyback_twap",
    summary: "Set how far back the average price of a project's buybacks looks.",
    example: "service buyback twap --project 2 --twap 3600",
    about: "project",
    fields: [paired, twap]
  },
  {
    name: "buyback hook",
    operation: "prepare_buyback_hook",
    summary: "Choose a project's buyback hook among those that are allowed.",
    example: "service buyback hook --project 2 --hook 0x…",
    about: "project",
    fields: [
      address("hook", "hook", "The hook; to use the registry's default again, its address.", { needed: true })
    ]
  },
  {
    name: "router terminal",
    operation: "prepare_router_terminal",
    summary: "Choose the terminal that a project's payments in other tokens are routed through.",
    example: "service router terminal --project 2 --terminal 0x…",
    about: "project",
    fields: [
      address("terminal", "terminal", "The terminal; to use the registry's default again, its address.", {
        needed: true
      })
    ]
  }
]
