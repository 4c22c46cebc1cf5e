import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { type Draft, withDraft } from "../../../src/console/doing/fields/Draft.ts"
import { draftRead } from "../../../src/console/doing/fields/ReadDraft.ts"
import { startDraft } from "../../../src/console/doing/fields/WriteDraft.ts"
import { askForLoan } from "../../../src/console/doing/view/AskLoan.ts"
import { askForProject } from "../../../src/console/doing/view/AskService.ts"
import { sentence } from "../../../src/review/Words.ts"
import { answeredClient } from "../support/AnsweredClient.ts"
import { formFor, KNOWN } from "./support/Forms.ts"

const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
const known = <A>(value: A) => ({ status: "known", value })
const unknown = { status: "unknown", error: { code: "UNSUPPORTED", message: "No.", retryable: false } }

const terminal = (accountingStore: object, decimals: string) => ({
  accountingStore,
  contexts: known([{ token: USDC, decimals }])
})

const asked = (...terminals: ReadonlyArray<object>) =>
  askForProject(
    {
      client: answeredClient(({ searchParams }) =>
        searchParams.get("source") === "onchain"
          ? {
              source: "onchain",
              onchain: { token: unknown, rulesets: { current: unknown }, terminals: known(terminals) }
            }
          : { source: "indexer", indexed: known({ name: "\u202eevil" }) }
      ),
      grant: {}
    },
    1,
    "7"
  )

describe("a loan that is looked up", () => {
  const WALLET = "0x00000000000000000000000000000000000000aa"
  const NATIVE = "0x000000000000000000000000000000000000EEEe"
  const loanIn = (sourceToken: string) => ({
    loan: { amount: "2000000", collateral: "5000000000000000000", sourceToken },
    owner: known(WALLET),
    deadline: known("1900000000"),
    fullRepaymentAmount: known("2500000")
  })
  const told = async (sourceToken: string) => {
    const client = answeredClient(({ pathname, searchParams }) => {
      if (pathname.endsWith("/get_loan")) return loanIn(sourceToken)
      const value = searchParams.get("function")?.startsWith("decimals") ? "6" : "US\u202eDC"
      return { address: sourceToken, outputs: [{ value }] }
    })
    return askForLoan({ client, grant: {} }, 1, "77")
  }
  const lines = ({ rows }: Awaited<ReturnType<typeof told>>) =>
    rows.map(({ name, value }) => `${name}: ${sentence(value)}`)
  const paidAtMost = (
    { tokens = new Map(), loans = new Map() }: Awaited<ReturnType<typeof told>>,
    text: string
  ) => {
    const form = formFor("prepare_repay")
    const known = { ...KNOWN, tokens, loans }
    const typing = { chainId: "1", loanId: "77", collateralCountToReturn: "5", maxRepayBorrowAmount: text }
    const draft = Object.entries(typing).reduce<Draft>(
      (before, [name, typed]) => withDraft(before, [name], typed),
      startDraft(form, known)
    )
    return Either.match(draftRead(form, draft, [], { known, groups: [] }), {
      onLeft: misfits => misfits.map(({ words }) => words).join(),
      onRight: input => Object(input).maxRepayBorrowAmount
    })
  }

  it("is told in whole tokens, in which its repayment is then typed", async () => {
    const loan = await told(USDC)
    assert.includeMembers(
      [...lines(loan)],
      [
        String.raw`all of it costs now: 2.5 of a token that calls itself untrusted "US\u{202E}DC" (2500000 with 6 decimals)`,
        "until: 2030-03-17T17:46:40Z"
      ]
    )
    assert.strictEqual(paidAtMost(loan, "2.5"), "2500000")
    assert.match(paidAtMost(loan, "2.5000001"), /at most 6 decimals/)
    assert.strictEqual(paidAtMost(await told(NATIVE), "2.5"), "2500000000000000000")
  })

  it("is of no decimals before that", () => {
    assert.match(paidAtMost({ rows: [] }, "2.5"), /decimals are not known here/)
    assert.strictEqual(paidAtMost({ rows: [] }, "25 units"), "25")
  })
})

describe("a project that is looked up", () => {
  it("tells the decimals of a token by the protocol's own terminal alone", async () => {
    const [own, foreign] = [terminal(known(USDC), "6"), terminal(unknown, "2")]
    for (const terminals of [
      [own, foreign],
      [foreign, own]
    ]) {
      const { tokens } = await asked(...terminals)
      assert.deepStrictEqual([...tokens], [[`1:${USDC.toLowerCase()}`, { decimals: 6 }]])
    }
    assert.strictEqual((await asked(foreign)).tokens.size, 0)
  })

  it("is named as others' text", async () => {
    const { rows } = await asked()
    assert.include(
      rows.map(({ name, value }) => `${name}: ${sentence(value)}`),
      String.raw`name: untrusted "\u{202E}evil"`
    )
  })
})
