/** A picture of one value over time, said in a sentence for those who do not see it, with a table of its numbers. */
import { Fragment, h } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Piece } from "../../../review/Words.ts"
import { Pieces } from "../../app/Pieces.tsx"
import type { Gap } from "../series/Holds.ts"
import { type Drawn, MARGIN, type PictureShapes, shapesOf } from "../series/Picture.ts"
import type { Shown, TableRow } from "../words/Describe.ts"

const HEIGHT = 180
const FIRST_WIDTH = 600
const SHORT_DIGITS = 9

const useWidth = () => {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? FIRST_WIDTH))
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { box, width }
}

/** A long row of zeros is counted. */
const tickText = (digits: string): string => {
  const zeros = /0+$/.exec(digits)?.[0].length ?? 0
  return digits.length > SHORT_DIGITS && zeros > 3 && !digits.includes(".")
    ? `${digits.slice(0, -zeros)}e${zeros}`
    : digits
}

const Axes = ({ shapes, width }: { readonly shapes: PictureShapes; readonly width: number }) => (
  <g class="axes">
    {shapes.amounts.map(({ y, label }) => (
      <Fragment key={y}>
        <line x1={shapes.left} x2={width - MARGIN.right} y1={y} y2={y} />
        <text x={shapes.left - 8} y={y + 4} text-anchor="end">
          {label}
        </text>
      </Fragment>
    ))}
    {shapes.times.map(({ x, labelX, label }) => (
      <Fragment key={x}>
        <line x1={x} x2={x} y1={HEIGHT - MARGIN.bottom} y2={HEIGHT - MARGIN.bottom + 5} />
        <text x={labelX} y={HEIGHT - 5} text-anchor="middle">
          {label}
        </text>
      </Fragment>
    ))}
  </g>
)

const Shapes = ({ shapes, hatch }: { readonly shapes: PictureShapes; readonly hatch: string }) => (
  <>
    {shapes.gaps.map(box => h("rect", { ...box, class: "gap", fill: `url(#${hatch})` }))}
    {shapes.bars.map(box => h("rect", { ...box, class: "bar" }))}
    <path class="line" d={shapes.path} fill="none" />
    {shapes.dots.map(({ x, y }) => h("circle", { cx: x, cy: y, r: 3, class: "dot" }))}
  </>
)

const Hatch = ({ id }: { readonly id: string }) => (
  <defs>
    <pattern id={id} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line class="hatch" x1="0" x2="0" y1="0" y2="8" />
    </pattern>
  </defs>
)

export interface PictureProps {
  readonly id: string
  readonly title: string
  readonly unit: ReadonlyArray<Piece>
  readonly drawn: Drawn
  readonly span: Gap
  readonly show: Shown
  readonly description: string
  readonly heads: ReadonlyArray<string>
  readonly table: ReadonlyArray<TableRow>
}

const NumbersTable = ({ title, heads, table }: Pick<PictureProps, "title" | "heads" | "table">) => (
  <details class="folded">
    <summary>{`${title} in numbers`}</summary>
    <table>
      <thead>
        <tr>
          {heads.map(head => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {h("tbody", {}, ...table.map(cells => h("tr", {}, ...cells.map(cell => h("td", {}, cell)))))}
    </table>
  </details>
)

export const Picture = (props: PictureProps) => {
  const { id, title, unit, drawn, span, show, description } = props
  const { box, width } = useWidth()
  const shapes = shapesOf(drawn, { width, height: HEIGHT, span, label: value => tickText(show(value)) })
  return (
    <figure class="picture">
      <figcaption>
        <h3>{title}</h3>
        <p class="muted">
          in <Pieces pieces={unit} />; times in UTC
        </p>
      </figcaption>
      <div ref={box}>
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-told`}
        >
          <title id={`${id}-title`}>{`${title} over time`}</title>
          <Hatch id={`${id}-hatch`} />
          <Axes shapes={shapes} width={width} />
          <Shapes shapes={shapes} hatch={`${id}-hatch`} />
        </svg>
      </div>
      <p class="told" id={`${id}-told`}>
        {description}
      </p>
      {shapes.gaps.length > 0 && <p class="muted">Hatched: nothing is known of that time.</p>}
      <NumbersTable {...props} />
    </figure>
  )
}
