/** Sets the clock of a test's own database, which alone decides what is in time. */
import { sqlOn } from "./Sql.ts"

/** PL/pgSQL looks at the table at each call, even of a statement that began before the clock was set. */
const INSTALL = `DO $install$ BEGIN
  IF to_regclass('set_clock') IS NULL THEN
    CREATE TABLE set_clock (single boolean PRIMARY KEY DEFAULT true CHECK (single), stands_at numeric, ahead numeric);
    CREATE OR REPLACE FUNCTION unix_millis() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$ BEGIN
      RETURN (SELECT floor(1000 * coalesce(stands_at, extract(epoch FROM clock_timestamp()) + ahead)) FROM set_clock);
    END $$;
    CREATE OR REPLACE FUNCTION unix_seconds() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$ BEGIN
      RETURN floor(unix_millis() / 1000.0);
    END $$;
  END IF;
END $install$`

/** In one transaction. */
const set = async (databaseUrl: string, standsAt: number | null, ahead: number): Promise<void> => {
  await sqlOn(
    databaseUrl,
    `${INSTALL}; INSERT INTO set_clock (stands_at, ahead) VALUES (${standsAt}, ${ahead})
      ON CONFLICT (single) DO UPDATE SET stands_at = excluded.stands_at, ahead = excluded.ahead`
  )
}

/** The clock stands at this second until it is set again. */
export const stopClock = (databaseUrl: string, seconds: number): Promise<void> => set(databaseUrl, seconds, 0)

/** The clock runs, this much ahead of the true time. */
export const runClock = (databaseUrl: string, aheadSeconds = 0): Promise<void> =>
  set(databaseUrl, null, aheadSeconds)
