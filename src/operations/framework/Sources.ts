/** Where an answer can come from, and what of that a request may name. */
export type SourceClass = "onchain" | "indexer" | "model" | "service" | "reference"

/** The classes that a request may choose between. */
export type Source = Extract<SourceClass, "onchain" | "indexer">

export const isSource = (source: SourceClass): source is Source =>
  source === "onchain" || source === "indexer"
