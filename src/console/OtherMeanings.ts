/** What a signed request is for that is not about a plan; loaded when the first is asked for. */
import { changes, type Meanings, reads } from "./MeaningKinds.ts"

const SPONSORSHIPS: Meanings = [
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

const WALLETS: Meanings = [
  [/^GET \/api\/v1\/smart-accounts\/capabilities$/, reads("Read the kinds of wallets")],
  [
    /^POST \/api\/v1\/smart-accounts\/creation-plans$/,
    changes(
      "Compute a wallet",
      "The service computes the address of a new wallet and the call that creates it."
    )
  ],
  [
    /^POST \/api\/v1\/smart-accounts\/binding-challenges$/,
    changes("Inspect a wallet", "The service looks at the wallet and writes down what its owners would sign.")
  ],
  [
    /^POST \/api\/v1\/smart-accounts\/bindings$/,
    changes(
      "Bind the wallet",
      "The service links the wallet to the account, since enough of its owners signed for that."
    )
  ],
  [/^GET \/api\/v1\/smart-accounts\/bindings(?:\?|$)/, reads("List the wallets")],
  [/^GET \/api\/v1\/smart-accounts\/bindings\/[^/?]+$/, reads("Inspect the wallet")],
  [
    /^DELETE \/api\/v1\/smart-accounts\/bindings\/[^/]+$/,
    changes(
      "Unlink the wallet",
      "The service prepares nothing more for the wallet and sends nothing more by it. What was sent goes on, and what its owners can do onchain is not changed."
    )
  ],
  [
    /^POST \/api\/v1\/smart-accounts\/bindings\/[^/]+\/plans$/,
    changes(
      "Prepare a plan for the wallet",
      "The service writes down the calls that the wallet would make, for you to review."
    )
  ]
]

const SESSIONS: Meanings = [
  [/^POST \/api\/v1\/smart-accounts\/session-reviews$/, reads("Review what a session would allow")],
  [
    /^POST \/api\/v1\/smart-accounts\/sessions$/,
    changes(
      "Prepare a session",
      "The service stores what the key below could do for the wallet. It gives no authority before the wallet's owners enable it."
    )
  ],
  [
    /^POST \/api\/v1\/smart-accounts\/sessions\/[^/]+\/activation-plans$/,
    changes(
      "Prepare the plan that enables the session",
      "You acknowledge the compiled hash below, and the service writes down the call by which the wallet's owners enable exactly that."
    )
  ],
  [
    /^POST \/api\/v1\/smart-accounts\/sessions\/[^/]+\/revocation-plans$/,
    changes(
      "Prepare the plan that revokes the session",
      "The service writes down the call by which the wallet's owners revoke it for good, and sends nothing more under it from now on."
    )
  ],
  [/^GET \/api\/v1\/smart-accounts\/sessions(?:\?|$)/, reads("List the sessions")],
  [/^GET \/api\/v1\/smart-accounts\/sessions\/[^/?]+\/quota$/, reads("Read what is left of the session")],
  [/^GET \/api\/v1\/smart-accounts\/sessions\/[^/?]+(?:\?|$)/, reads("Read the session")]
]

const OPERATIONS: Meanings = [
  [
    /^POST \/api\/v1\/user-operations$/,
    changes(
      "Prepare an operation of the wallet",
      "The service writes down the operation that the wallet's owners would sign, for you to review."
    )
  ],
  [
    /^POST \/api\/v1\/user-operations\/[^/]+\/submissions$/,
    () => ({
      title: "Send the operation",
      intro:
        "Your signature is your consent: the service gives exactly the operation that the owners signed to its bundler, once. It cannot be called back."
    })
  ],
  [/^GET \/api\/v1\/user-operations\/[^/?]+(?:\?|$)/, reads("Read the operation")],
  [/^GET \/api\/v1\/user-operations(?:\?|$)/, reads("List the operations")]
]

const ACCOUNTS: Meanings = [
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

const READS: Meanings = [
  [/^GET \/api\/v1\/protocol\/resolve\?(?!.*\baddress=)/, reads("Look up a contract of the protocol")],
  [/^GET \/api\/v1\/protocol\/resolve\?/, reads("Prove a clone's address")],
  [/^GET \/api\/v1\/protocol\/read\?/, reads("Look up a token")],
  [/^GET \/api\/v1\/operations\/[a-z0-9_]+(?:\?|$)/, reads("Ask the service")],
  [/^GET \/api\/v1\/projects\//, reads("Look up the project")],
  [/^GET \/api\/v1\/indexer\//, reads("Read the index")]
]

export const OTHERS: Meanings = [
  ...SPONSORSHIPS,
  ...WALLETS,
  ...SESSIONS,
  ...OPERATIONS,
  ...ACCOUNTS,
  ...READS
]
