/** What a source does not serve of the pinned schema. */
export interface Lacking {
  readonly entities: ReadonlySet<string>
  /** As `entity.field`. */
  readonly fields: ReadonlySet<string>
  /** As `entity.filter`. */
  readonly filters: ReadonlySet<string>
}

export const LACKS_NOTHING: Lacking = { entities: new Set(), fields: new Set(), filters: new Set() }

export const LACKING_REASON = "The configured source is older than the pinned schema and does not serve it."

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every(item => other.has(item))

export const isSameLack = (one: Lacking, other: Lacking): boolean =>
  isSameSet(one.entities, other.entities) &&
  isSameSet(one.fields, other.fields) &&
  isSameSet(one.filters, other.filters)
