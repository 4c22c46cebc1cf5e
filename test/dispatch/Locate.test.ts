import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { RpcBudget, RpcUnavailable } from "../../src/chain/refusals.ts"
import { locateAll } from "../../src/dispatch/Locate.ts"
import { type AdmittedStanding, type Tracking, Transports } from "../../src/dispatch/Transport.ts"
import type { Binding } from "../../src/plans/Binding.ts"
import type { Call } from "../../src/plans/Plan.ts"
import { EMPTY_FACTS } from "../../src/plans/Step.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" as const
const HASH = `0x${"12".repeat(32)}` as const

const request = {
  ...{ forwarder: ADDRESS, forwarderCodeHash: HASH, nonce: "0", gas: "1", deadline: 1, sinceBlock: 1 },
  ...{ searchedBlock: null, searchedHash: null, hint: null, providerState: null, isDead: false }
}

const operation = {
  ...{ operationHash: HASH, entryPoint: ADDRESS, entryPointCodeHash: HASH, sender: ADDRESS },
  ...{
    walletCodeHash: HASH,
    nonce: "0",
    validUntil: 1,
    sinceBlock: 1,
    searchedBlock: null,
    searchedHash: null
  },
  ...{
    hint: null,
    isDead: false,
    paymaster: null,
    maximumCost: "1",
    calls: 1,
    position: 0,
    observedBlock: null
  }
}

const standing = (step: number, transport: Extract<Binding["transport"], `${"f" | "e"}${string}`>) => {
  const bindingId = String(step)
  const binding: Binding =
    transport === "eip4337-user-operation"
      ? { transport, bindingId, operation }
      : { transport, bindingId, request }
  const call: Call = {
    ...{ chainId: 1, to: ADDRESS, data: "0x" as const, value: "0", label: "", dependsOn: [] },
    decoded: { contractId: "", abiHash: "", function: "", args: [] }
  }
  const facts = { ...EMPTY_FACTS, binding }
  return {
    planId: "",
    step,
    account: ADDRESS,
    now: 0,
    call,
    summary: {},
    facts,
    binding
  } satisfies AdmittedStanding
}

const steps = [
  standing(0, "forwarder-prepaid-erc2771"),
  standing(1, "eip4337-user-operation"),
  standing(2, "forwarder-prepaid-erc2771")
]

const prove: Tracking["prove"] = (_, __, { status, logs }) => Effect.succeed({ _tag: "Proved", status, logs })

const walletNonce: Tracking["walletNonce"] = () => undefined

const located = (transports: Readonly<Record<string, Tracking>>) =>
  Effect.map(Effect.provideService(locateAll(1, steps), Transports, transports), ({ carried, nowhere }) => ({
    carried: carried.map(({ step, hash }) => [step, hash]),
    nowhere: nowhere.map(({ step }) => step)
  }))

it.effect("each step is carried by the transaction that its own transport names", () =>
  Effect.gen(function* () {
    const locate: Tracking["locate"] = (_, given) =>
      Effect.succeed(given.map(({ binding }) => (binding.bindingId === "2" ? HASH : undefined)))
    assert.deepStrictEqual(yield* located({ "forwarder-prepaid-erc2771": { locate, walletNonce, prove } }), {
      carried: [[2, HASH]],
      nowhere: [0, 1]
    })
  })
)

it.effect("what cannot be looked up is neither carried nor nowhere, and hides no other", () =>
  Effect.gen(function* () {
    const locate: Tracking["locate"] = () => new RpcUnavailable()
    assert.deepStrictEqual(yield* located({ "forwarder-prepaid-erc2771": { locate, walletNonce, prove } }), {
      carried: [],
      nowhere: [1]
    })
  })
)

it.effect("whoever may ask no more is told so, and nothing is said of any step", () =>
  Effect.gen(function* () {
    const locate: Tracking["locate"] = () => new RpcBudget()
    const failure = yield* Effect.flip(
      located({ "forwarder-prepaid-erc2771": { locate, walletNonce, prove } })
    )
    assert.strictEqual(failure._tag, "RPC_BUDGET")
  })
)
