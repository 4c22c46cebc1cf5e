// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JBRuleset, JBRulesetMetadata} from "./structs.sol";

/// Bits: version 0-3, reserved percent 4, cash-out tax 20, base currency 36, flags 68-81, data hook 82, user bits 242.
library JBRulesetMetadataResolver {
    uint256 private constant VERSION = 1;

    function pack(JBRulesetMetadata memory m) internal pure returns (uint256 packed) {
        packed = VERSION | uint256(m.reservedPercent) << 4 | uint256(m.cashOutTaxRate) << 20;
        packed |= uint256(m.baseCurrency) << 36;
        packed |= _bit(m.pausePay, 68) | _bit(m.pauseCreditTransfers, 69) | _bit(m.allowOwnerMinting, 70);
        packed |= _bit(m.allowSetCustomToken, 71) | _bit(m.allowTerminalMigration, 72);
        packed |= _bit(m.allowSetTerminals, 73) | _bit(m.allowSetController, 74);
        packed |= _bit(m.allowAddAccountingContext, 75) | _bit(m.allowAddPriceFeed, 76);
        packed |= _bit(m.ownerMustSendPayouts, 77) | _bit(m.holdFees, 78);
        packed |= _bit(m.scopeCashOutsToLocalBalances, 79);
        packed |= _bit(m.useDataHookForPay, 80) | _bit(m.useDataHookForCashOut, 81);
        packed |= uint256(uint160(m.dataHook)) << 82 | uint256(m.metadata & 0x3FFF) << 242;
    }

    function expandMetadata(JBRuleset memory ruleset) internal pure returns (JBRulesetMetadata memory m) {
        m.reservedPercent = reservedPercent(ruleset);
        m.cashOutTaxRate = cashOutTaxRate(ruleset);
        m.baseCurrency = baseCurrency(ruleset);
        m.pausePay = pausePay(ruleset);
        m.pauseCreditTransfers = pauseCreditTransfers(ruleset);
        m.allowOwnerMinting = allowOwnerMinting(ruleset);
        m.allowSetCustomToken = allowSetCustomToken(ruleset);
        m.allowTerminalMigration = allowTerminalMigration(ruleset);
        m.allowSetTerminals = allowSetTerminals(ruleset);
        m.allowSetController = allowSetController(ruleset);
        m.allowAddAccountingContext = allowAddAccountingContext(ruleset);
        m.allowAddPriceFeed = allowAddPriceFeed(ruleset);
        m.ownerMustSendPayouts = ownerMustSendPayouts(ruleset);
        m.holdFees = holdFees(ruleset);
        m.scopeCashOutsToLocalBalances = scopeCashOutsToLocalBalances(ruleset);
        m.useDataHookForPay = useDataHookForPay(ruleset);
        m.useDataHookForCashOut = useDataHookForCashOut(ruleset);
        m.dataHook = dataHook(ruleset);
        m.metadata = uint16(ruleset.metadata >> 242);
    }

    function reservedPercent(JBRuleset memory ruleset) internal pure returns (uint16) {
        return uint16(ruleset.metadata >> 4);
    }

    function cashOutTaxRate(JBRuleset memory ruleset) internal pure returns (uint16) {
        return uint16(ruleset.metadata >> 20);
    }

    function baseCurrency(JBRuleset memory ruleset) internal pure returns (uint32) {
        return uint32(ruleset.metadata >> 36);
    }

    function pausePay(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 68);
    }

    function pauseCreditTransfers(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 69);
    }

    function allowOwnerMinting(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 70);
    }

    function allowSetCustomToken(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 71);
    }

    function allowTerminalMigration(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 72);
    }

    function allowSetTerminals(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 73);
    }

    function allowSetController(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 74);
    }

    function allowAddAccountingContext(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 75);
    }

    function allowAddPriceFeed(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 76);
    }

    function ownerMustSendPayouts(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 77);
    }

    function holdFees(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 78);
    }

    function scopeCashOutsToLocalBalances(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 79);
    }

    function useDataHookForPay(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 80);
    }

    function useDataHookForCashOut(JBRuleset memory ruleset) internal pure returns (bool) {
        return _flag(ruleset, 81);
    }

    function dataHook(JBRuleset memory ruleset) internal pure returns (address) {
        return address(uint160(ruleset.metadata >> 82));
    }

    function _flag(JBRuleset memory ruleset, uint256 position) private pure returns (bool) {
        return ruleset.metadata >> position & 1 == 1;
    }

    function _bit(bool value, uint256 position) private pure returns (uint256) {
        return value ? 1 << position : 0;
    }
}
