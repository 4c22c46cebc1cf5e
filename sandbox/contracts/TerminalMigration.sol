// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJBTerminal} from "./interfaces.sol";
import {JBPermissionIds} from "./JBPermissionIds.sol";
import {TerminalCashOuts} from "./TerminalCashOuts.sol";

interface IMigrationStore {
    function recordTerminalMigration(uint256 projectId, address token) external returns (uint256 balance);
}

/// Moves all that a project has in a token to another of its terminals, less the fee of one that owes it.
abstract contract TerminalMigration is TerminalCashOuts {
    error JBMultiTerminal_TerminalMigrationToSelf(uint256 projectId, address token);
    error JBMultiTerminal_TerminalTokensIncompatible(uint256 projectId, address token, IJBTerminal terminal);

    event MigrateTerminal(
        uint256 indexed projectId, address indexed token, IJBTerminal indexed to, uint256 amount, address caller
    );

    function migrateBalanceOf(uint256 projectId, address token, IJBTerminal to) external returns (uint256 balance) {
        address owner = _ownerOf(projectId);
        _requirePermissionFrom(owner, projectId, JBPermissionIds.MIGRATE_TERMINAL);
        if (address(to) == address(this)) revert JBMultiTerminal_TerminalMigrationToSelf(projectId, token);
        if (to.accountingContextForTokenOf(projectId, token).token == address(0)) {
            revert JBMultiTerminal_TerminalTokensIncompatible(projectId, token, to);
        }
        balance = IMigrationStore(address(STORE)).recordTerminalMigration(projectId, token);
        emit MigrateTerminal(projectId, token, to, balance, _msgSender());
        if (balance == 0) return 0;
        uint256 fee = _isFeeless(address(to), projectId) ? 0 : _takeFee(projectId, token, balance, owner, false);
        _addAt(to, projectId, token, balance - fee, "");
    }
}
