/** Balance, issuance and payouts over time. */
import { isNative, PROJECT_DECIMALS } from "../../../review/Amounts.ts"
import { type Piece, words } from "../../../review/Words.ts"
import type { OverTime } from "../series/FromHistory.ts"
import { gapsIn, type Hold } from "../series/Holds.ts"
import { type Asset, unitName, wholeUnits } from "../words/Assets.ts"
import { beatTable, describedBars, describedLine, holdTable, type Shown } from "../words/Describe.ts"
import { Picture } from "./Picture.tsx"

interface OverTimeViewProps {
  readonly time: OverTime
  /** Undefined where the tokens that it accounts in could not be read. */
  readonly assets: ReadonlyArray<Asset> | undefined
  /** Undefined where the ruleset in force could not be read. */
  readonly perUnit: string | undefined
}

interface LineProps {
  readonly id: string
  readonly title: string
  readonly unit: ReadonlyArray<Piece>
  readonly holds: ReadonlyArray<Hold>
  readonly span: OverTime["span"]
  readonly show: Shown
  /** With its unit. */
  readonly tell: Shown
}

const LinePicture = ({ holds, tell, ...props }: LineProps) => (
  <Picture
    {...props}
    drawn={{ kind: "line", holds }}
    description={describedLine(holds, props.span, gapsIn(holds, props.span).length, tell)}
    heads={["from", "until", "value"]}
    table={holdTable(holds, props.show)}
  />
)

const named = (digits: string, asset: Asset | undefined): string =>
  asset !== undefined && isNative(asset.token) ? `${digits} ether` : digits

const AccountPictures = ({ time, asset }: { readonly time: OverTime; readonly asset: Asset | undefined }) => {
  const { span, balance, payouts, untold } = time
  const show: Shown = value => wholeUnits(value, asset?.decimals)
  const tell: Shown = value => named(show(value), asset)
  return (
    <>
      <LinePicture
        id="balance"
        title="Balance"
        unit={unitName(asset)}
        holds={balance}
        span={span}
        show={show}
        tell={tell}
      />
      <Picture
        id="payouts"
        title="Payouts"
        unit={unitName(asset)}
        drawn={{ kind: "bars", beats: payouts, gaps: untold }}
        span={span}
        show={show}
        description={describedBars(payouts, span, untold.length, tell)}
        heads={["when", "amount"]}
        table={beatTable(payouts, show)}
      />
    </>
  )
}

const issued: Shown = value => wholeUnits(value, PROJECT_DECIMALS)

export const OverTimeView = ({ time, assets, perUnit }: OverTimeViewProps) => (
  <>
    {assets === undefined && (
      <p class="lacking">
        Which tokens the project accounts in could not be read, so amounts are in their smallest unit and may
        be sums of several tokens.
      </p>
    )}
    {assets !== undefined && assets.length > 1 ? (
      <p class="lacking">
        {`The project accounts in ${assets.length} tokens, and the index adds their amounts up as if they were one. Of such a sum nothing is drawn.`}
      </p>
    ) : (
      <AccountPictures time={time} asset={assets?.[0]} />
    )}
    {perUnit === undefined ? (
      <p class="lacking">Which ruleset is in force could not be read, so issuance is not drawn.</p>
    ) : (
      <LinePicture
        id="issuance"
        title="Issuance"
        unit={[words(`tokens for each ${perUnit} paid in`)]}
        holds={time.issuance}
        span={time.span}
        show={issued}
        tell={value => `${issued(value)} tokens`}
      />
    )}
  </>
)
