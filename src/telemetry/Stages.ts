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
  "Bundler.call": "bundler call",
  "Sponsorship.locate": "locate",
  "Sponsorship.prove": "prove"
}

export const stageOf = (name: string): string => STAGES[name] ?? name

/** An attribute that is no attribute: it renames its span once more is known. */
export const SPAN_NAME = "spanName"

/** What a span may tell, by its name here and by that of OpenTelemetry's conventions, where they have one; anything else a library adds stays inside the process. */
const TOLD: Readonly<Record<string, string>> = {
  requestId: "request.id",
  httpMethod: "http.request.method",
  route: "http.route",
  status: "http.response.status_code",
  code: "error.type",
  account: "account.hash",
  plan: "plan.id",
  step: "plan.step",
  states: "plan.states",
  isFinal: "plan.final",
  planOperation: "plan.operation",
  sponsorship: "sponsorship.id",
  operation: "user_operation.id",
  chain: "chain.id",
  endpoint: "chain.endpoint",
  method: "rpc.method",
  rpcSystem: "rpc.system",
  transactionHash: "transaction.hash",
  "http.request.method": "http.request.method",
  "http.response.status_code": "http.response.status_code",
  "server.address": "server.address",
  "server.port": "server.port",
  "error.type": "error.type",
  "db.system.name": "db.system.name",
  "db.namespace": "db.namespace",
  "db.operation.name": "db.operation.name"
}

export const toldAs = (attribute: string): string | undefined => TOLD[attribute]
