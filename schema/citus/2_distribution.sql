-- Where each table lies. Tables of one group lie together: the rows of one key are always on one node.

-- By account: what a signed request touches.
SELECT create_distributed_table('accounts', 'number', colocate_with => 'none');
SELECT create_distributed_table('bot_grants', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('request_nonces', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('request_usage', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('idempotency_keys', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('idempotency_archive', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('plans', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('ended_plans', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('plan_steps', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('transport_bindings', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('dispatch_leases', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('owner_approvals', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('sponsorships', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('fundings', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('publications', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('sponsored_calls', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('user_operations', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('silent_nonces', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('operation_sends', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('payment_reviews', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('bindings', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('binding_nonces', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('credentials', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('sessions', 'account', colocate_with => 'accounts');
SELECT create_distributed_table('session_plans', 'account', colocate_with => 'accounts');

-- By the key itself: what is unique over all accounts.
SELECT create_distributed_table('global_keys', 'key', colocate_with => 'none');
SELECT create_distributed_table('reserved_nonces', 'scope', colocate_with => 'none');

-- By wallet: what users of one wallet, of whatever account, wait in line for.
SELECT create_distributed_table('wallets', 'address', colocate_with => 'none');
SELECT create_distributed_table('wallet_generations', 'wallet', colocate_with => 'wallets');

-- By publisher: what is public.
SELECT create_distributed_table('intents', 'publisher', colocate_with => 'none');
SELECT create_distributed_table('intent_deployments', 'publisher', colocate_with => 'intents');

-- By client address: budgets of nobody known.
SELECT create_distributed_table('address_usage', 'address_hash', colocate_with => 'none');
SELECT create_distributed_table('address_enrolments', 'address_hash', colocate_with => 'address_usage');
SELECT create_distributed_table('intent_origins', 'address_hash', colocate_with => 'address_usage');

-- On every node whole: each ledger looks at it, and it is written once in the life of few databases.
SELECT create_reference_table('restorations');

-- Of the coordinator alone, which applies migrations and is asked whether it is ready and how far it got.
SELECT citus_add_local_table_to_metadata('migrations');
SELECT citus_add_local_table_to_metadata('function_migrations');
SELECT citus_add_local_table_to_metadata('readiness_probe');
SELECT citus_add_local_table_to_metadata('history');
