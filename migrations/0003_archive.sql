-- Plans that ended long ago no longer count against their account, and their keys no longer answer.
ALTER TABLE plans ADD COLUMN archived_at bigint;
ALTER TABLE plans ADD COLUMN changed_at bigint NOT NULL DEFAULT unix_millis();

CREATE INDEX plans_to_archive ON plans (greatest(expires_at, changed_at)) WHERE archived_at IS NULL AND sweep_at IS NULL;

CREATE TABLE idempotency_archive (LIKE idempotency_keys INCLUDING DEFAULTS);

CREATE INDEX idempotency_archive_of_plan ON idempotency_archive (plan);

CREATE FUNCTION note_plan_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := unix_millis();
  RETURN NEW;
END $$;

CREATE TRIGGER plan_changed BEFORE UPDATE OF revision ON plans
  FOR EACH ROW EXECUTE FUNCTION note_plan_change();
