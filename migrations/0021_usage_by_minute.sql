-- The cleanup of quotas finds what is over by its minute, however many accounts there are.
CREATE INDEX request_usage_by_minute ON request_usage (minute);
