-- edition 2
-- What is known of the steps of a plan, in their order. A function of its own, so that whatever reads plans is planned in no time: all that
-- a step may be bound to is planned once on each connection, and not again in every statement.
CREATE OR REPLACE FUNCTION step_records(of_plan uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT json_agg(json_build_object('observed', s.observed, 'receipt', s.receipt, 'semantic', s.semantic, 'revert', s.revert,
        'proof', s.proof, 'sights', s.sights,
        'binding', CASE b.transport WHEN 'forwarder-prepaid-erc2771' THEN (SELECT json_build_object('transport', b.transport,
            'bindingId', b.binding_id, 'request', json_build_object('forwarder', c.forwarder,
              'forwarderCodeHash', c.forwarder_code_hash, 'nonce', c.nonce::text, 'gas', c.gas::text, 'deadline', c.deadline,
              'sinceBlock', c.since_block, 'searchedBlock', c.searched_block, 'searchedHash', c.searched_hash, 'hint', c.hint,
              'providerState', c.provider_state, 'isDead', c.dead_hash IS NOT NULL AND NOT c.revived))
            FROM sponsored_calls c WHERE c.plan = b.plan AND c.step = b.step)
          WHEN 'eip4337-user-operation' THEN (SELECT json_build_object('transport', b.transport,
            'bindingId', b.binding_id, 'operation', json_build_object('operationHash', o.operation_hash,
              'entryPoint', o.entry_point, 'entryPointCodeHash', o.entry_point_code_hash, 'sender', o.sender,
              'walletCodeHash', o.wallet_code_hash, 'nonce', o.nonce::text, 'validUntil', o.valid_until,
              'sinceBlock', o.since_block, 'searchedBlock', o.searched_block, 'searchedHash', o.searched_hash, 'hint', o.hint,
              'isDead', o.dead_hash IS NOT NULL AND NOT o.revived, 'paymaster', o.paymaster,
              'maximumCost', o.maximum_cost::text, 'calls', cardinality(o.steps),
              'position', array_position(o.steps, b.step) - 1, 'observedBlock', o.observed_block))
            FROM user_operations o WHERE o.id = b.binding_id)
          WHEN 'signed-eoa-transaction' THEN json_build_object('transport', b.transport,
            'bindingId', b.binding_id, 'hash', b.hash, 'transaction', b.transaction) END,
        'lease', CASE WHEN l.hash IS NOT NULL THEN json_build_object('hash', l.hash, 'count', l.count,
          'reservedAt', l.reserved_at, 'expiresAt', l.expires_at, 'outcome', l.outcome,
          'broadcastAt', l.broadcast_at)
          WHEN b.transport = 'forwarder-prepaid-erc2771' THEN (SELECT json_build_object('hash', u.submission_hash, 'count', 1,
            'reservedAt', u.reserved_at, 'expiresAt', u.expires_at,
            'outcome', CASE u.outcome WHEN 'answered' THEN 'submitted' ELSE u.outcome END,
            'broadcastAt', CASE u.outcome WHEN 'answered' THEN u.settled_at END)
            FROM publications u WHERE u.sponsorship = b.binding_id)
          WHEN b.transport = 'eip4337-user-operation' THEN (SELECT json_build_object('hash', o.operation_hash, 'count', 1,
            'reservedAt', d.reserved_at, 'expiresAt', d.expires_at,
            'outcome', CASE d.outcome WHEN 'accepted' THEN 'submitted' ELSE d.outcome END,
            'broadcastAt', CASE d.outcome WHEN 'accepted' THEN d.answered_at END)
            FROM operation_sends d JOIN user_operations o ON o.id = d.operation WHERE d.operation = b.binding_id) END) ORDER BY s.step)
      FROM plan_steps s
      LEFT JOIN transport_bindings b ON b.plan = s.plan AND b.step = s.step
      LEFT JOIN dispatch_leases l ON l.plan = s.plan AND l.step = s.step
      WHERE s.plan = of_plan
  );
END $$;
