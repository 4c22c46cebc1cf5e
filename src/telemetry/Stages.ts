/** The stages of a request as its trace names them, by the methods that carry them out. */
const STAGES: Readonly<Record<string, string>> = {
  "Authenticate.verify": "verify",
  "AccountLock.wait": "lock wait",
  "NonceLedger.judge": "nonce",
  "NonceLedger.judgeWithin": "nonce",
  "ChainClient.all": "RPC call",
  "ChainClient.sendRaw": "RPC call",
  "ChainClient.session": "RPC call",
  "ChainClient.snapshot": "RPC call",
  "ResolveContract.resolve": "read",
  "ReadContract.read": "read",
  "CreatePlan.create": "prepare",
  "SimulateStep.simulate": "prepare",
  "Admission.claim": "claim",
  "Broadcast.send": "broadcast",
  "Reconcile.refresh": "reconcile",
  "PrepareSponsorship.prepare": "prepare",
  "PublicationPreflight.run": "simulate",
  "PublicationStore.claim": "claim",
  "Publish.publish": "publish",
  "PublicationStore.settle": "settle",
  "PrepaidProvider.publish": "provider call",
  "PrepaidProvider.bundle": "provider call",
  "Sponsorship.locate": "locate",
  "Sponsorship.prove": "prove"
}

export const stageOf = (name: string): string => STAGES[name] ?? name

/** What a span may tell; anything else a library adds stays inside the process. */
const TOLD = new Set([
  "requestId",
  "route",
  "status",
  "code",
  "account",
  "plan",
  "step",
  "sponsorship",
  "chain",
  "method",
  "transactionHash"
])

export const isTold = (attribute: string): boolean => TOLD.has(attribute)
