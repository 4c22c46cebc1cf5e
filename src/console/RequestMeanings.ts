/** What a signed request is for, by its method and target. */
import { changes, type Meaning, type Meanings, reads } from "./MeaningKinds.ts"

const submits = ([, step]: ReadonlyArray<string>): Meaning => ({
  title: `Submit step ${step}`,
  intro:
    "Your signature is your consent: the service relays exactly the signed transaction below, once. It cannot be called back."
})

const PLANS: Meanings = [
  [/^POST \/api\/v1\/plans\/[^/]+\/steps\/([0-9]+)\/submissions$/, submits],
  [
    /^GET \/api\/v1\/plans\/[^/]+\/steps\/([0-9]+)\/simulation$/,
    ([, step]) => reads(`Simulate step ${step}`)()
  ],
  [/^GET \/api\/v1\/plans\/[^/?]+\?refresh=true$/, reads("Look at the chain again")],
  [/^GET \/api\/v1\/plans\/[^/?]+$/, reads("Read the plan")],
  [/^GET \/api\/v1\/plans(?:\?|$)/, reads("List the plans")],
  [
    /^POST \/api\/v1\/(?:plans|operations\/[^/]+\/plans)$/,
    changes("Prepare a plan", "The service writes down the calls that would do it, for you to review.")
  ]
]

const UNKNOWN: Meaning = {
  title: "A request that this page does not know",
  intro: "Cancel unless you know what it is."
}

const within = (meanings: Meanings, request: string): Meaning | undefined => {
  for (const [pattern, meaning] of meanings) {
    const found = pattern.exec(request)
    if (found !== null) return meaning(found)
  }
  return undefined
}

export const requestMeaning = async (request: string): Promise<Meaning> =>
  within(PLANS, request) ?? within((await import("./OtherMeanings.ts")).OTHERS, request) ?? UNKNOWN
