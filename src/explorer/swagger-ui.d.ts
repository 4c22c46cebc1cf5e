declare module "*.css" {}

declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Keyed {
    readonly getIn: (path: ReadonlyArray<string>) => unknown
  }

  interface Operations {
    readonly size: number
    readonly filter: (keep: (operation: Keyed) => boolean) => Operations
  }

  interface Tag {
    readonly get: (name: "operations") => Operations
    readonly set: (name: "operations", operations: Operations) => Tag
  }

  export interface Tags {
    readonly map: (change: (tag: Tag) => Tag) => Tags
    readonly filter: (keep: (tag: Tag) => boolean) => Tags
  }

  interface Plugin {
    readonly fn: { readonly opsFilter: (tags: Tags, phrase: string) => Tags }
    readonly wrapComponents: Readonly<Record<string, () => () => null>>
    readonly statePlugins: {
      readonly spec: {
        readonly wrapSelectors: {
          readonly allowTryItOutFor: () => (state: Keyed, path: string, method: string) => boolean
        }
      }
    }
  }

  export default function SwaggerUI(options: {
    readonly url: string
    readonly dom_id: string
    readonly deepLinking: boolean
    readonly filter: boolean
    readonly docExpansion: "list"
    readonly defaultModelsExpandDepth: number
    readonly validatorUrl: null
    readonly onComplete: () => void
    readonly plugins: ReadonlyArray<Plugin>
  }): void
}
