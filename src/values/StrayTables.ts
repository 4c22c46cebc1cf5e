/** Tables of the service in a schema that its connections do not look into, as a role's search_path has it: what is made there would be a second service. */

/** Gives a row where the schema that tables are made in has none of the service, and another one has. */
export const STRAY_TABLES = `
  SELECT quote_ident(schemaname) AS schema, current_setting('search_path') AS path
  FROM pg_tables WHERE tablename IN ('function_migrations', 'readiness_probe')
  GROUP BY schemaname HAVING count(*) = 2
    AND NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations')
  LIMIT 1`

export interface StrayTables {
  readonly schema: string
  readonly path: string
}

export const strayTablesText = ({ schema, path }: StrayTables): string =>
  `The service's tables are in schema ${schema} of this database, and this role's search_path is ${path}`

export const strayTablesRemedy = ({ schema }: StrayTables): string =>
  `name that schema in the URL, as by ?options=-c%20search_path%3D${encodeURIComponent(schema)}`
