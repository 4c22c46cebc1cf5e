// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {
    IJBCashOutHook,
    IJBController,
    IJBDirectory,
    IJBPayHook,
    IJBPermissions,
    IJBPrices,
    IJBProjects,
    IJBRulesetDataHook,
    IJBTerminal,
    IJBTokens
} from "../interfaces.sol";
import {JBCashOuts} from "../JBCashOuts.sol";
import {JBConstants} from "../JBConstants.sol";
import {JBPermissioned} from "../JBPermissioned.sol";
import {JBRulesetMetadataResolver} from "../JBRulesetMetadataResolver.sol";
import {
    JBAfterCashOutRecordedContext,
    JBAfterPayRecordedContext,
    JBBeforeCashOutRecordedContext,
    JBBeforePayRecordedContext,
    JBCashOutHookSpecification,
    JBPayHookSpecification,
    JBRuleset
} from "../structs.sol";
import {BuybackPools} from "./BuybackPools.sol";
import {PoolQuote} from "./BuybackQuotes.sol";
import {PoolKey} from "./PoolKey.sol";
import {IPoolTrader, SandboxPools} from "./SandboxPools.sol";

interface IJBCurrentRuleset {
    function currentRulesetOf(uint256 projectId) external view returns (JBRuleset memory ruleset);
}

/// Buys a project's tokens for a payment where its pool gives more than issuance, and sells those that are cashed out
/// where it gives more than the treasury.
contract JBBuybackHook is BuybackPools, IJBRulesetDataHook, IJBPayHook, IJBCashOutHook, IPoolTrader {
    using SafeERC20 for IERC20;

    uint256 private constant FEE_DIVISOR = 40;

    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBPrices prices,
        IJBProjects projects,
        IJBTokens tokens,
        address deployer,
        address trustedForwarder
    )
        JBPermissioned(permissions)
        ERC2771Context(trustedForwarder)
        BuybackPools(directory, prices, projects, tokens, deployer)
    {}

    receive() external payable {}

    /// Where nothing is bought, the terminal is told what was compared.
    function beforePayRecordedWith(JBBeforePayRecordedContext calldata context)
        external
        view
        returns (uint256 weight, JBPayHookSpecification[] memory hookSpecifications)
    {
        weight = context.weight;
        PoolKey memory key = _poolKeyOf[context.projectId][_currencyOf(context.amount.token)];
        if (_isEmpty(key)) return (weight, hookSpecifications);
        uint256[15] memory words = _comparison(context, key);
        bool buys = words[2] > words[5];
        hookSpecifications = new JBPayHookSpecification[](1);
        hookSpecifications[0] =
            JBPayHookSpecification(IJBPayHook(address(this)), !buys, buys ? words[7] + words[1] : 0, abi.encode(words));
        if (buys) weight = 0;
    }

    function beforeCashOutRecordedWith(JBBeforeCashOutRecordedContext calldata context)
        external
        view
        returns (
            uint256 cashOutTaxRate,
            uint256 cashOutCount,
            uint256 totalSupply,
            uint256 effectiveSurplusValue,
            JBCashOutHookSpecification[] memory hookSpecifications
        )
    {
        cashOutTaxRate = context.cashOutTaxRate;
        cashOutCount = context.cashOutCount;
        totalSupply = context.totalSupply;
        effectiveSurplusValue = context.surplus.value;
        PoolKey memory key = _poolKeyOf[context.projectId][_currencyOf(context.surplus.token)];
        (bool isAsked, bytes calldata asked) = _asked("cashOut", context.metadata);
        (uint256 least, bool skips) = isAsked ? abi.decode(asked, (uint256, bool)) : (0, false);
        if (_isEmpty(key) || skips) {
            return (cashOutTaxRate, cashOutCount, totalSupply, effectiveSurplusValue, hookSpecifications);
        }
        uint256[8] memory words = _sale(context, key, least);
        bool sells = words[0] > words[2];
        hookSpecifications = new JBCashOutHookSpecification[](1);
        hookSpecifications[0] = JBCashOutHookSpecification(IJBCashOutHook(address(this)), !sells, 0, abi.encode(words));
        if (sells) cashOutTaxRate = JBConstants.MAX_CASH_OUT_TAX_RATE;
    }

    function afterPayRecordedWith(JBAfterPayRecordedContext calldata context) external payable {
        _requireTerminal(context.projectId);
        uint256[15] memory words = abi.decode(context.hookMetadata, (uint256[15]));
        address token = context.forwardedAmount.token;
        if (token != JBConstants.NATIVE_TOKEN) {
            IERC20(token).safeTransferFrom(_msgSender(), address(this), context.forwardedAmount.value);
        }
        PoolKey memory key = _poolKeyOf[context.projectId][_currencyOf(token)];
        uint256 bought = _trade(key, words[0] == 0, words[7], token == JBConstants.NATIVE_TOKEN);
        if (bought < words[2]) revert JBBuybackHook_SpecifiedSlippageExceeded(bought, words[2]);
        emit Swap(context.projectId, words[7], _idOf(key), bought, _msgSender());
        IJBController controller = _controllerOf(context.projectId);
        controller.burnTokensOf(address(this), context.projectId, bought, "");
        uint256 minted = _mintLeftover(context, words);
        controller.mintTokensOf(context.projectId, bought + minted, context.beneficiary, "", true);
    }

    function afterCashOutRecordedWith(JBAfterCashOutRecordedContext calldata context) external payable {
        _requireTerminal(context.projectId);
        uint256[8] memory words = abi.decode(context.hookMetadata, (uint256[8]));
        address token = context.reclaimedAmount.token;
        PoolKey memory key = _poolKeyOf[context.projectId][_currencyOf(token)];
        _controllerOf(context.projectId).mintTokensOf(context.projectId, words[1], address(this), "", false);
        uint256 got = _trade(key, key.currency0 == projectTokenOf[context.projectId], words[1], false);
        /// The deployed hook limits the price by its minimum, so that too bad a pool takes nothing.
        if (got < words[0]) revert JBBuybackHook_SpecifiedSlippageExceeded(0, words[0]);
        emit CashOutSwap(context.projectId, words[1], _idOf(key), got, _msgSender());
        if (token == JBConstants.NATIVE_TOKEN) Address.sendValue(context.beneficiary, got);
        else IERC20(token).safeTransfer(context.beneficiary, got);
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != poolManager) revert JBBuybackHook_CallerNotPoolManager(msg.sender);
        (address token, uint256 amount) = abi.decode(data, (address, uint256));
        IERC20(token).safeTransfer(msg.sender, amount);
        return "";
    }

    function hasMintPermissionFor(uint256, JBRuleset memory, address) external pure returns (bool) {
        return false;
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IJBRulesetDataHook).interfaceId || interfaceId == type(IJBPayHook).interfaceId
            || interfaceId == type(IJBCashOutHook).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    function _trade(PoolKey memory key, bool isFirst, uint256 amount, bool isNative) private returns (uint256) {
        return SandboxPools(poolManager).swap{value: isNative ? amount : 0}(key, isFirst, amount);
    }

    /// What is not to be swapped goes to the project's balance and is issued for.
    function _mintLeftover(JBAfterPayRecordedContext calldata context, uint256[15] memory words)
        private
        returns (uint256 minted)
    {
        uint256 leftover = words[1];
        if (leftover == 0) return 0;
        address token = context.forwardedAmount.token;
        bool isNative = token == JBConstants.NATIVE_TOKEN;
        if (!isNative) IERC20(token).forceApprove(_msgSender(), leftover);
        IJBTerminal(_msgSender()).addToBalanceOf{value: isNative ? leftover : 0}(
            context.projectId, token, leftover, false, "", ""
        );
        minted = Math.mulDiv(leftover, context.weight, words[6]);
        emit Mint(context.projectId, leftover, minted, _msgSender());
    }

    /// Fifteen words; of those about a swap all are zero where nothing can be traded.
    function _comparison(JBBeforePayRecordedContext calldata context, PoolKey memory key)
        private
        view
        returns (uint256[15] memory words)
    {
        IJBController controller = _controllerOf(context.projectId);
        words[0] = key.currency0 == projectTokenOf[context.projectId] ? 1 : 0;
        words[4] = uint160(address(controller));
        words[10] = uint256(_idOf(key));
        (bool isAsked, bytes calldata asked) = _asked("pay", context.metadata);
        if (isAsked) {
            (words[7], words[2]) = abi.decode(asked, (uint256, uint256));
            words[3] = words[2] == 0 ? 0 : 1;
        }
        uint256 paid = context.amount.value;
        if (words[7] > paid) revert JBBuybackHook_InsufficientPayAmount(words[7], paid);
        if (words[7] == 0) words[7] = paid;
        words[1] = paid - words[7];
        words[6] = _weightRatioOf(context, controller);
        words[5] = Math.mulDiv(words[7], context.weight, words[6]);
        PoolQuote memory quote = _quote(key, _windowOf(context.projectId, context.amount.token), words[7], words[0] == 0);
        if (words[3] == 0) words[2] = quote.minimum;
        words[8] = uint256(int256(quote.tick));
        words[9] = quote.liquidity;
        (words[11], words[12]) = controller.previewMintOf(context.projectId, words[2], true);
        words[13] = quote.worth;
    }

    /// Eight words: the least that the sale has to give, the count, what the treasury returns, and what was quoted.
    function _sale(JBBeforeCashOutRecordedContext calldata context, PoolKey memory key, uint256 least)
        private
        view
        returns (uint256[8] memory words)
    {
        words[1] = context.cashOutCount;
        words[2] = _directOf(context);
        words[5] = uint256(_idOf(key));
        bool isFirst = key.currency0 == projectTokenOf[context.projectId];
        PoolQuote memory quote =
            _quote(key, _windowOf(context.projectId, context.surplus.token), context.cashOutCount, isFirst);
        if (least != 0) {
            if (quote.liquidity == 0 && least > words[2]) {
                revert JBBuybackHook_SpecifiedSlippageExceeded(words[2], least);
            }
            (words[0], words[7]) = (least, 1);
            return words;
        }
        words[0] = quote.minimum;
        words[3] = uint256(int256(quote.tick));
        words[4] = quote.liquidity;
        words[6] = quote.worth;
    }

    function _directOf(JBBeforeCashOutRecordedContext calldata context) private pure returns (uint256 direct) {
        direct = JBCashOuts.cashOutFrom(
            context.surplus.value, context.cashOutCount, context.totalSupply, context.cashOutTaxRate
        );
        if (!context.beneficiaryIsFeeless) direct -= direct / FEE_DIVISOR;
    }

    function _weightRatioOf(JBBeforePayRecordedContext calldata context, IJBController controller)
        private
        view
        returns (uint256)
    {
        JBRuleset memory ruleset = IJBCurrentRuleset(address(controller)).currentRulesetOf(context.projectId);
        uint32 base = JBRulesetMetadataResolver.baseCurrency(ruleset);
        uint8 decimals = context.amount.decimals;
        if (context.amount.currency == base) return 10 ** decimals;
        return PRICES.pricePerUnitOf(context.projectId, context.amount.currency, base, decimals);
    }

    function _windowOf(uint256 projectId, address token) private view returns (uint256) {
        return _twapWindowOf[projectId][_currencyOf(token)];
    }

    function _controllerOf(uint256 projectId) private view returns (IJBController) {
        return IJBController(address(DIRECTORY.controllerOf(projectId)));
    }

    function _requireTerminal(uint256 projectId) private view {
        if (!DIRECTORY.isTerminalOf(projectId, IJBTerminal(_msgSender()))) {
            revert JBBuybackHook_CallerNotTerminal(_msgSender());
        }
    }
}
