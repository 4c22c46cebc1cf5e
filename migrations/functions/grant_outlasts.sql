-- edition 1
-- Whether this bot's grant lets it do everything a session asks of it, from that second until the session is over.
CREATE OR REPLACE FUNCTION grant_outlasts(
  account_number bigint,
  granted uuid,
  bot text,
  until_seconds bigint,
  at_seconds bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM bot_grants g WHERE g.id = granted AND g.account = account_number AND g.bot_address = bot
      AND g.revoked_at IS NULL AND g.expires_at > at_seconds AND g.expires_at >= until_seconds
      AND g.scopes = ARRAY['read', 'plan', 'relay']
  );
END $$;
