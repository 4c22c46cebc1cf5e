/** What a signed request is for, by its method and target. */
interface Meaning {
  readonly title: string
  readonly intro: string
}

const READS = "Nothing is moved and nothing is approved by this signature: it only lets the service answer."
const MOVES_NOTHING = "Nothing is sent to a chain by this signature."

const submits = ([, step]: ReadonlyArray<string>): Meaning => ({
  title: `Submit step ${step}`,
  intro:
    "Your signature is your consent: the service relays exactly the signed transaction below, once. It cannot be called back."
})

const reads = (title: string) => (): Meaning => ({ title, intro: READS })

const changes = (title: string, words: string) => (): Meaning => ({
  title,
  intro: `${words} ${MOVES_NOTHING}`
})

type Of = (found: ReadonlyArray<string>) => Meaning

const PLANS: ReadonlyArray<readonly [RegExp, Of]> = [
  [/^POST \/api\/v1\/plans\/[^/]+\/steps\/([0-9]+)\/submissions$/, submits],
  [
    /^GET \/api\/v1\/plans\/[^/]+\/steps\/([0-9]+)\/simulation$/,
    ([, step]) => ({ title: `Simulate step ${step}`, intro: READS })
  ],
  [/^GET \/api\/v1\/plans\/[^/?]+\?refresh=true$/, reads("Look at the chain again")],
  [/^GET \/api\/v1\/plans\/[^/?]+$/, reads("Read the plan")],
  [/^GET \/api\/v1\/plans(?:\?|$)/, reads("List the plans")],
  [
    /^POST \/api\/v1\/(?:plans|operations\/[^/]+\/plans)$/,
    changes("Prepare a plan", "The service writes down the calls that would do it, for you to review.")
  ]
]

const SPONSORSHIPS: ReadonlyArray<readonly [RegExp, Of]> = [
  [
    /^POST \/api\/v1\/sponsorships$/,
    changes(
      "Prepare requests for a forwarder",
      "The service writes down the requests that you would sign, for you to review."
    )
  ],
  [
    /^POST \/api\/v1\/sponsorships\/[^/]+\/submissions$/,
    () => ({
      title: "Publish the requests",
      intro:
        "Your signature is your consent: the service gives exactly the signed requests to the provider, once. They cannot be called back before they end."
    })
  ],
  [
    /^POST \/api\/v1\/sponsorships\/[^/]+\/funding-plans$/,
    changes(
      "Prepare the payment",
      "The service writes down the call that pays the provider, for you to review."
    )
  ],
  [/^GET \/api\/v1\/sponsorships\/[^/?]+(?:\?refresh=(?:true|false))?$/, reads("Read the sponsorship")],
  [/^GET \/api\/v1\/sponsorships(?:\?|$)/, reads("List the sponsorships")]
]

const ACCOUNTS: ReadonlyArray<readonly [RegExp, Of]> = [
  [/^GET \/api\/v1\/accounts\/me$/, reads("Read the account")],
  [
    /^PATCH \/api\/v1\/accounts\/me$/,
    changes("Replace the profile", "What the account says of itself is replaced as a whole.")
  ],
  [
    /^POST \/api\/v1\/accounts\/enroll$/,
    changes("Enroll the account", "The service makes an account for the owner who signs.")
  ],
  [/^GET \/api\/v1\/accounts\/me\/bots$/, reads("List the bots")],
  [
    /^POST \/api\/v1\/accounts\/me\/bots$/,
    changes(
      "Grant a key rights on the account",
      "The key below gets the rights below until they end or you revoke them. It can sign no transaction of your wallet's."
    )
  ],
  [
    /^DELETE \/api\/v1\/accounts\/me\/bots\/[^/]+$/,
    changes("Revoke a grant", "Its key can do nothing more on the account from the answer on.")
  ]
]

const OTHERS: ReadonlyArray<readonly [RegExp, Of]> = [
  [/^GET \/api\/v1\/protocol\/resolve\?(?!.*\baddress=)/, reads("Look up a contract of the protocol")],
  [/^GET \/api\/v1\/protocol\/resolve\?/, reads("Prove a clone's address")],
  [/^GET \/api\/v1\/protocol\/read\?/, reads("Look up a token")],
  [/^GET \/api\/v1\/operations\/[a-z0-9_]+(?:\?|$)/, reads("Ask the service")],
  [/^GET \/api\/v1\/projects\//, reads("Look up the project")],
  [/^GET \/api\/v1\/indexer\//, reads("Read the index")]
]

const UNKNOWN: Meaning = {
  title: "A request that this page does not know",
  intro: "Cancel unless you know what it is."
}

export const requestMeaning = (request: string): Meaning => {
  for (const [pattern, meaning] of [...PLANS, ...SPONSORSHIPS, ...ACCOUNTS, ...OTHERS]) {
    const found = pattern.exec(request)
    if (found !== null) return meaning(found)
  }
  return UNKNOWN
}
