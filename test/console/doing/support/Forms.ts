/** Forms of the operations that prepare plans, and inputs that the service takes. */
import { Either, Schema } from "effect"
import { assert } from "vitest"
import { addressOf } from "../../../../sandbox/addresses.ts"
import type { Draft } from "../../../../src/console/doing/fields/Draft.ts"
import type { InputField } from "../../../../src/console/doing/fields/InputField.ts"
import { draftRead, type FormMisfit } from "../../../../src/console/doing/fields/ReadDraft.ts"
import { formOf } from "../../../../src/console/doing/fields/ReadSchema.ts"
import type { KnownFacts, Surroundings } from "../../../../src/console/doing/fields/Surroundings.ts"
import { describeOperations } from "../../../../src/http/DescribeOperations.ts"
import { ownDeclarations } from "../../../../src/operations/framework/Declarations.ts"
import type { PrepareId } from "../../../../src/operations/generated/OperationIds.ts"
import { planRegister } from "../../../../src/operations/generated/PlanRegister.ts"
import { PLAN_INPUTS } from "../../../operations/support/PlanInputs.ts"
import { deploying, HOLDER, REVNET } from "../../../operations/support/RevnetPlans.ts"
import { shopConfiguration } from "../../../operations/support/ShopPlans.ts"

export const WALLET = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

export const KNOWN: KnownFacts = {
  wallet: WALLET,
  chains: [
    { id: 31_337, name: "Local" },
    { id: 1, name: "Ethereum" }
  ],
  tokens: new Map(),
  loans: new Map()
}

export const AROUND: Surroundings = { known: KNOWN, groups: [] }

const descriptors = new Map(
  describeOperations(ownDeclarations)
    .all()
    .map(each => [each.id, each])
)

export const formFor = (id: PrepareId): InputField => {
  const { inputJsonSchema } = descriptors.get(id) ?? assert.fail(id)
  return formOf(id, inputJsonSchema)
}

export const schemaFor = (id: PrepareId) => descriptors.get(id)?.inputJsonSchema ?? assert.fail(id)

const routed = { chainId: 31337, projectId: "7" }
const { flags, ...shop } = shopConfiguration
const { issueTokensForSplits: _, ...baseFlags } = flags

/** Where the sandbox tells the rest, an input of the same form. */
const ELSEWHERE: Partial<Record<PrepareId, unknown>> = {
  prepare_revnet_deploy: deploying({
    suckerConfig: {
      salt: `0x${"11".repeat(32)}`,
      deployerConfigurations: [
        {
          deployer: addressOf("JBMultiTerminal", WALLET),
          peer: `0x${"22".repeat(32)}`,
          mappings: [{ localToken: HOLDER, minGas: 200_000, remoteToken: `0x${"33".repeat(32)}` }]
        }
      ]
    },
    tiered721Config: {
      baseline: { ...shop, flags: baseFlags },
      salt: `0x${"44".repeat(32)}`,
      preventOperatorAdjustingTiers: true,
      preventOperatorUpdatingMetadata: false,
      preventOperatorMinting: true,
      preventOperatorIncreasingDiscountPercent: false
    },
    allowedPosts: [
      {
        category: 5,
        minimumPrice: "12",
        minimumTotalSupply: 1,
        maximumTotalSupply: 20,
        maximumSplitPercent: 100_000_000,
        allowedAddresses: [WALLET, HOLDER]
      }
    ]
  }),
  prepare_auto_issue: { project: REVNET, account: WALLET, stageId: "1700000000", beneficiary: HOLDER },
  prepare_buyback_hook: { project: routed, account: WALLET, hook: HOLDER },
  prepare_router_terminal: { project: routed, account: WALLET, terminal: HOLDER }
}

export const inputFor = (id: PrepareId): unknown => {
  const planned = PLAN_INPUTS[id]?.input
  return typeof planned === "object" ? planned : (ELSEWHERE[id] ?? assert.fail(id))
}

export const isAccepted = (id: PrepareId, input: unknown): boolean => {
  const schema: Schema.Schema.AnyNoContext = planRegister[id].input
  return Either.isRight(Schema.decodeUnknownEither(schema)(input, { onExcessProperty: "error" }))
}

export const inputRead = (form: InputField, draft: Draft): unknown => {
  const read = draftRead(form, draft, [], AROUND)
  return Either.isRight(read) ? read.right : assert.fail(JSON.stringify(read.left))
}

export const misfitsRead = (form: InputField, draft: Draft): ReadonlyArray<FormMisfit> => {
  const read = draftRead(form, draft, [], AROUND)
  return Either.isLeft(read) ? read.left : assert.fail(JSON.stringify(read.right))
}
