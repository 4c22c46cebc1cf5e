// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {
    IJBDirectory,
    IJBPayHook,
    IJBPermissions,
    IJBPrices,
    IJBRulesetDataHook,
    IJBRulesets,
    IJBSplits,
    IJBTerminal
} from "../interfaces.sol";
import {
    JBAfterPayRecordedContext,
    JBBeforeCashOutRecordedContext,
    JBBeforePayRecordedContext,
    JBCashOutHookSpecification,
    JBPayHookSpecification,
    JBRuleset,
    JBTokenAmount
} from "../structs.sol";
import {MetadataEntries} from "./MetadataEntries.sol";
import {IJB721TiersHookStore, IJB721TokenUriResolver} from "./ShopInterfaces.sol";
import {ShopOwner} from "./ShopOwner.sol";
import {JB721InitTiersConfig, JB721TierConfig, JB721TiersHookFlags} from "./ShopStructs.sol";

/// A project's shop: the data hook of its rulesets, which mints a tier's token for each price paid.
contract JB721TiersHook is ERC721, ShopOwner, ERC2771Context, IJBRulesetDataHook, IJBPayHook {
    error JB721Hook_InvalidPay(address caller, uint256 contextProjectId, uint256 projectId);
    error JB721Hook_UnexpectedTokenCashedOut(uint256 cashOutCount);
    error JB721TiersHook_AlreadyInitialized(uint256 projectId);
    error JB721TiersHook_CantBuyWithCredits(uint256 restrictedCost, uint256 freshValue);
    error JB721TiersHook_InvalidPricingDecimals(uint256 decimals);
    error JB721TiersHook_NoProjectId(uint256 projectId);
    error JB721TiersHook_Overspending(uint256 leftoverAmount);

    event AddPayCredits(
        uint256 indexed amount, uint256 indexed newTotalCredits, address indexed account, address caller
    );
    event AddTier(uint256 indexed tierId, JB721TierConfig tier, address caller);
    event Mint(
        uint256 indexed tokenId,
        uint256 indexed tierId,
        address indexed beneficiary,
        uint256 totalAmountPaid,
        address caller
    );
    event RemoveTier(uint256 indexed tierId, address caller);
    event UsePayCredits(
        uint256 indexed amount, uint256 indexed newTotalCredits, address indexed account, address caller
    );

    uint8 private constant ADJUST_721_TIERS = 24;
    uint8 private constant MAX_DECIMALS = 18;

    IJBDirectory public immutable DIRECTORY;
    address public immutable METADATA_ID_TARGET;
    IJBPrices public immutable PRICES;
    IJBRulesets public immutable RULESETS;
    IJBSplits public immutable SPLITS;
    IJB721TiersHookStore public immutable STORE;

    uint256 public projectId;
    string public baseURI;
    string public contractURI;
    mapping(address addr => uint256) public payCreditsOf;
    string private _shopName;
    string private _shopSymbol;
    uint256 private _currency;
    uint256 private _decimals;

    /// The checkpoints of votes are no part of the sandbox.
    constructor(
        IJBDirectory directory,
        IJBPermissions permissions,
        IJBPrices prices,
        IJBRulesets rulesets,
        IJB721TiersHookStore store,
        IJBSplits splits,
        address checkpointsDeployer,
        address trustedForwarder
    ) ERC721("", "") ShopOwner(directory.PROJECTS(), permissions) ERC2771Context(trustedForwarder) {
        DIRECTORY = directory;
        METADATA_ID_TARGET = address(this);
        PRICES = prices;
        RULESETS = rulesets;
        SPLITS = splits;
        STORE = store;
    }

    function initialize(
        uint256 initialProjectId,
        string memory name,
        string memory symbol,
        string memory baseUri,
        address tokenUriResolver,
        string memory contractUri,
        JB721InitTiersConfig memory tiersConfig,
        JB721TiersHookFlags memory flags
    ) external {
        if (projectId != 0 || address(this) == METADATA_ID_TARGET) {
            revert JB721TiersHook_AlreadyInitialized(projectId);
        }
        if (initialProjectId == 0) revert JB721TiersHook_NoProjectId(0);
        if (tiersConfig.decimals > MAX_DECIMALS) revert JB721TiersHook_InvalidPricingDecimals(tiersConfig.decimals);
        projectId = initialProjectId;
        (_shopName, _shopSymbol, baseURI, contractURI) = (name, symbol, baseUri, contractUri);
        (_currency, _decimals) = (tiersConfig.currency, tiersConfig.decimals);
        if (tokenUriResolver != address(0)) STORE.recordSetTokenUriResolver(tokenUriResolver);
        _addTiers(tiersConfig.tiers);
        STORE.recordFlags(flags);
        _setOwner(_msgSender(), 0);
    }

    function adjustTiers(JB721TierConfig[] calldata tiersToAdd, uint256[] calldata tierIdsToRemove) external {
        _requirePermissionFrom(owner(), projectId, ADJUST_721_TIERS);
        STORE.recordRemoveTierIds(tierIdsToRemove);
        for (uint256 i; i < tierIdsToRemove.length; i++) {
            emit RemoveTier(tierIdsToRemove[i], _msgSender());
        }
        _addTiers(tiersToAdd);
    }

    function afterPayRecordedWith(JBAfterPayRecordedContext calldata context) external payable {
        if (context.projectId != projectId || !DIRECTORY.isTerminalOf(projectId, IJBTerminal(_msgSender()))) {
            revert JB721Hook_InvalidPay(_msgSender(), context.projectId, projectId);
        }
        (uint256 value, bool valid) = _valueOf(context.amount);
        if (!valid) return;
        uint256 credits = payCreditsOf[context.beneficiary];
        uint256 usable = context.payer == context.beneficiary ? credits : 0;
        uint256 leftover = _buy(context, value, value + usable);
        _setCredits(context.beneficiary, credits, leftover + credits - usable);
    }

    function beforePayRecordedWith(JBBeforePayRecordedContext calldata context)
        external
        view
        returns (uint256 weight, JBPayHookSpecification[] memory hookSpecifications)
    {
        weight = context.weight;
        hookSpecifications = new JBPayHookSpecification[](1);
        hookSpecifications[0] = JBPayHookSpecification(
            this, false, 0, abi.encode(context.beneficiary, context.payer, bytes(""), uint256(0))
        );
    }

    /// Cashing out tiers is no part of the sandbox; other tokens cannot be cashed out where the shop decides.
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
        revert JB721Hook_UnexpectedTokenCashedOut(context.cashOutCount);
    }

    function hasMintPermissionFor(uint256, JBRuleset memory, address) external pure returns (bool) {
        return false;
    }

    function pricingContext() external view returns (uint256 currency, uint256 decimals) {
        return (_currency, _decimals);
    }

    function name() public view override returns (string memory) {
        return _shopName;
    }

    function symbol() public view override returns (string memory) {
        return _shopSymbol;
    }

    function balanceOf(address owner) public view override returns (uint256 balance) {
        return STORE.balanceOf(address(this), owner);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        IJB721TokenUriResolver resolver = IJB721TokenUriResolver(STORE.tokenUriResolverOf(address(this)));
        if (address(resolver) != address(0)) return resolver.tokenUriOf(address(this), tokenId);
        return super.tokenURI(tokenId);
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721, IERC165) returns (bool) {
        return interfaceId == type(IJBRulesetDataHook).interfaceId || interfaceId == type(IJBPayHook).interfaceId
            || super.supportsInterface(interfaceId);
    }

    function _addTiers(JB721TierConfig[] memory tiers) private {
        uint256[] memory ids = STORE.recordAddTiers(tiers);
        for (uint256 i; i < ids.length; i++) {
            emit AddTier(ids[i], tiers[i], _msgSender());
        }
    }

    /// Mints the tiers that the payment's metadata asks for; what it leaves over is refused or becomes credits.
    function _buy(JBAfterPayRecordedContext calldata context, uint256 fresh, uint256 spendable)
        private
        returns (uint256 leftover)
    {
        leftover = spendable;
        bool allowsOverspending = true;
        (bool found, bytes calldata asked) =
            MetadataEntries.valueOf(MetadataEntries.idOf("pay", METADATA_ID_TARGET), context.payerMetadata);
        if (found) {
            uint16[] memory tierIds;
            (allowsOverspending, tierIds) = abi.decode(asked, (bool, uint16[]));
            if (tierIds.length != 0) leftover = _mintTiers(context, fresh, spendable, tierIds);
        }
        if (leftover == 0) return 0;
        if (!allowsOverspending || STORE.flagsOf(address(this)).preventOverspending) {
            revert JB721TiersHook_Overspending(leftover);
        }
    }

    function _mintTiers(
        JBAfterPayRecordedContext calldata context,
        uint256 fresh,
        uint256 spendable,
        uint16[] memory tierIds
    ) private returns (uint256 leftover) {
        uint256[] memory tokenIds;
        uint256 restricted;
        (tokenIds, leftover, restricted) = STORE.recordMint(spendable, tierIds, false);
        if (restricted > fresh) revert JB721TiersHook_CantBuyWithCredits(restricted, fresh);
        for (uint256 i; i < tokenIds.length; i++) {
            _mint(context.beneficiary, tokenIds[i]);
            emit Mint(tokenIds[i], tierIds[i], context.beneficiary, context.amount.value, _msgSender());
        }
    }

    function _setCredits(address account, uint256 before, uint256 credits) private {
        if (credits == before) return;
        payCreditsOf[account] = credits;
        if (credits > before) emit AddPayCredits(credits - before, credits, account, _msgSender());
        else emit UsePayCredits(before - credits, credits, account, _msgSender());
    }

    /// In the currency and decimals of the prices.
    function _valueOf(JBTokenAmount calldata amount) private view returns (uint256 value, bool valid) {
        if (amount.currency == _currency) {
            return amount.decimals > _decimals
                ? (amount.value / 10 ** (amount.decimals - _decimals), true)
                : (amount.value * 10 ** (_decimals - amount.decimals), true);
        }
        if (address(PRICES) == address(0)) return (0, false);
        uint256 price = PRICES.pricePerUnitOf(projectId, amount.currency, _currency, amount.decimals);
        return (Math.mulDiv(amount.value, 10 ** _decimals, price), true);
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        STORE.recordTransferForTier(tokenId / 1_000_000_000, from, to);
    }

    function _baseURI() internal view override returns (string memory) {
        return baseURI;
    }

    function _msgSender() internal view override(Context, ERC2771Context) returns (address) {
        return ERC2771Context._msgSender();
    }

    function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) {
        return ERC2771Context._msgData();
    }

    function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) {
        return ERC2771Context._contextSuffixLength();
    }
}
