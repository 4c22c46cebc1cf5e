/** What the checks of this browser found: all as it should be, or dangers. */
interface Found {
  readonly dangers: ReadonlyArray<string>
  /** Where there are none. */
  readonly fine: string
  readonly checked: string
  readonly bad: string
}

export const ChecksFound = ({ dangers, fine, checked, bad }: Found) =>
  dangers.length === 0 ? (
    <section class="verdict fine">
      <h3>{fine}</h3>
      <p>{checked}</p>
    </section>
  ) : (
    <section class="verdict bad" role="alert">
      <h3>{bad}</h3>
      <ul>
        {dangers.map(danger => (
          <li key={danger}>{danger}</li>
        ))}
      </ul>
    </section>
  )
