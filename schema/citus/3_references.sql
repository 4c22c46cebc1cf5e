-- References within one shard, by the key that both sides are distributed by. What led from one group to another is held by claims alone.
ALTER TABLE bot_grants ADD FOREIGN KEY (account) REFERENCES accounts (number);
ALTER TABLE request_nonces ADD FOREIGN KEY (account) REFERENCES accounts (number);
ALTER TABLE request_usage ADD FOREIGN KEY (account) REFERENCES accounts (number);
ALTER TABLE plans ADD FOREIGN KEY (account) REFERENCES accounts (number);
ALTER TABLE idempotency_keys ADD FOREIGN KEY (account) REFERENCES accounts (number),
  ADD FOREIGN KEY (account, plan) REFERENCES plans (account, id);
ALTER TABLE ended_plans ADD FOREIGN KEY (account, plan) REFERENCES plans (account, id);
ALTER TABLE plan_steps ADD FOREIGN KEY (account, plan) REFERENCES plans (account, id);
ALTER TABLE transport_bindings ADD FOREIGN KEY (account, plan, step) REFERENCES plan_steps (account, plan, step);
ALTER TABLE dispatch_leases ADD FOREIGN KEY (account, plan, step) REFERENCES transport_bindings (account, plan, step);
ALTER TABLE owner_approvals ADD FOREIGN KEY (account, plan, step) REFERENCES plan_steps (account, plan, step);
ALTER TABLE sponsorships ADD FOREIGN KEY (account) REFERENCES accounts (number),
  ADD FOREIGN KEY (account, plan) REFERENCES plans (account, id);
ALTER TABLE fundings ADD FOREIGN KEY (account, plan) REFERENCES plans (account, id),
  ADD FOREIGN KEY (account, sponsorship) REFERENCES sponsorships (account, id);
ALTER TABLE publications ADD FOREIGN KEY (account, sponsorship) REFERENCES sponsorships (account, id);
ALTER TABLE sponsored_calls ADD FOREIGN KEY (account, plan, step) REFERENCES transport_bindings (account, plan, step),
  ADD FOREIGN KEY (account, sponsorship) REFERENCES sponsorships (account, id);
ALTER TABLE user_operations ADD FOREIGN KEY (account) REFERENCES accounts (number),
  ADD FOREIGN KEY (account, plan) REFERENCES plans (account, id);
ALTER TABLE silent_nonces ADD FOREIGN KEY (account, operation) REFERENCES user_operations (account, id);
ALTER TABLE operation_sends ADD FOREIGN KEY (account, operation) REFERENCES user_operations (account, id);
ALTER TABLE payment_reviews ADD FOREIGN KEY (account) REFERENCES accounts (number),
  ADD FOREIGN KEY (account, grant_id) REFERENCES bot_grants (account, id),
  ADD FOREIGN KEY (account, operation) REFERENCES user_operations (account, id);
ALTER TABLE bindings ADD FOREIGN KEY (account) REFERENCES accounts (number);
ALTER TABLE binding_nonces ADD FOREIGN KEY (account) REFERENCES accounts (number),
  ADD FOREIGN KEY (account, binding) REFERENCES bindings (account, id);
ALTER TABLE credentials ADD FOREIGN KEY (account) REFERENCES accounts (number),
  ADD FOREIGN KEY (account, binding) REFERENCES bindings (account, id);
ALTER TABLE sessions ADD FOREIGN KEY (account) REFERENCES accounts (number),
  ADD FOREIGN KEY (account, grant_id) REFERENCES bot_grants (account, id),
  ADD FOREIGN KEY (account, binding) REFERENCES bindings (account, id);
ALTER TABLE session_plans ADD FOREIGN KEY (account, plan) REFERENCES plans (account, id),
  ADD FOREIGN KEY (account, session) REFERENCES sessions (account, id);
ALTER TABLE wallet_generations ADD FOREIGN KEY (chain_id, wallet) REFERENCES wallets (chain_id, address);
ALTER TABLE intent_deployments ADD FOREIGN KEY (publisher, intent) REFERENCES intents (publisher, number);
