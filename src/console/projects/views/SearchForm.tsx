/** What to look for, and where; its answer has an address of its own. */
import { useState } from "preact/hooks"
import type { Seat } from "../../app/Seat.ts"
import type { SearchPlace } from "../reading/Search.ts"

interface SearchFormProps {
  readonly seat: Seat
  readonly text: string
  readonly place: SearchPlace
}

const NETWORKS = [
  ["mainnet", false, "All mainnets"],
  ["testnet", true, "All testnets"]
] as const

export const SearchForm = ({ seat, text, place }: SearchFormProps) => {
  const { chains } = seat.capabilities
  const [asked, setAsked] = useState(text)
  const [on, setOn] = useState(String(place.chainId ?? place.network))
  const search = (event: Event) => {
    event.preventDefault()
    seat.go(`/console/projects?${new URLSearchParams({ q: asked.trim(), on })}`)
  }
  return (
    <form class="search" onSubmit={search}>
      <div class="field">
        <label for="asked">Name, owner or number</label>
        <input
          id="asked"
          type="search"
          value={asked}
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
          onInput={event => setAsked(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="where">Where</label>
        <select id="where" value={on} onChange={event => setOn(event.currentTarget.value)}>
          {NETWORKS.filter(([, isTest]) => chains.some(({ testnet }) => testnet === isTest)).map(
            ([network, , name]) => (
              <option key={network} value={network}>
                {name}
              </option>
            )
          )}
          {chains.map(({ id, name }) => (
            <option key={id} value={String(id)}>{`${name} (${id})`}</option>
          ))}
        </select>
      </div>
      <button type="submit" class="primary">
        Search
      </button>
    </form>
  )
}
