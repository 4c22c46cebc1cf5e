/** As much of its Immutable collections as the search needs. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export interface Keyed {
    readonly getIn: (path: ReadonlyArray<string>) => unknown
  }

  interface Collection<Item> {
    readonly size: number
    readonly map: (change: (item: Item) => Item) => Collection<Item>
    readonly filter: (keep: (item: Item) => boolean) => Collection<Item>
  }

  interface Tag {
    readonly update: (name: "operations", change: (all: Collection<Keyed>) => Collection<Keyed>) => Tag
    readonly get: (name: "operations") => Collection<Keyed>
  }

  export type Tags = Collection<Tag>

  export default function SwaggerUI(options: object): void
}
