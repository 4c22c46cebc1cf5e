/** A list read to its end, page after page. */

interface CursorPage<Item> {
  readonly items: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/** `after` is nothing for the first page. */
export const everyItem = async function* <Item>(
  pageAt: (after: { readonly cursor?: string }) => Promise<CursorPage<Item>>
): AsyncGenerator<Item> {
  let after: { readonly cursor?: string } | undefined = {}
  do {
    const { items, nextCursor }: CursorPage<Item> = await pageAt(after)
    yield* items
    after = nextCursor ? { cursor: nextCursor } : undefined
  } while (after)
}
