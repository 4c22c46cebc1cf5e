-- How often a step was seen over, something else having its nonce for good, and when that was counted last; null of any other.
ALTER TABLE plan_steps ADD COLUMN sights json;
