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
import {TierSplits} from "./TierSplits.sol";

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
    event MintReservedNft(
        uint256 indexed tokenId, uint256 indexed tierId, address indexed beneficiary, address caller
    );
    event SetDiscountPercent(uint256 indexed tierId, uint256 discountPercent, address caller);
    event RemoveTier(uint256 indexed tierId, address caller);
    event UsePayCredits(
        uint256 indexed amount, uint256 indexed newTotalCredits, address indexed account, address caller
    );

    uint8 private constant ADJUST_721_TIERS = 24;
    uint8 private constant MINT_721 = 26;
    uint8 private constant SET_721_DISCOUNT_PERCENT = 27;
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
    mapping(uint256 tokenId => address) private _firstOwnerOf;
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

    function mintFor(uint16[] calldata tierIds, address beneficiary) external returns (uint256[] memory tokenIds) {
        _requirePermissionFrom(owner(), projectId, MINT_721);
        (tokenIds,,) = STORE.recordMint(type(uint256).max, tierIds, true);
        _mintAll(tokenIds, tierIds, beneficiary, 0);
    }

    function mintPendingReservesFor(uint256 tierId, uint256 count) external {
        uint256[] memory tokenIds = STORE.recordMintReservesFor(tierId, count);
        address beneficiary = STORE.reserveBeneficiaryOf(address(this), tierId);
        for (uint256 i; i < count; i++) {
            emit MintReservedNft(tokenIds[i], tierId, beneficiary, _msgSender());
            _mint(beneficiary, tokenIds[i]);
        }
    }

    function setDiscountPercentOf(uint256 tierId, uint256 discountPercent) external {
        _requirePermissionFrom(owner(), projectId, SET_721_DISCOUNT_PERCENT);
        STORE.recordSetDiscountPercentOf(tierId, discountPercent);
        emit SetDiscountPercent(tierId, discountPercent, _msgSender());
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
        if (context.forwardedAmount.value == 0) return;
        (,, bytes memory told,) = abi.decode(context.hookMetadata, (address, address, bytes, uint256));
        TierSplits.pay(SPLITS, DIRECTORY, projectId, context.forwardedAmount, told);
    }

    function beforePayRecordedWith(JBBeforePayRecordedContext calldata context)
        external
        view
        returns (uint256 weight, JBPayHookSpecification[] memory hookSpecifications)
    {
        (uint256 amount, bytes memory told) = _splitOf(context);
        uint256 issued = amount == 0 ? 0 : Math.mulDiv(context.weight, amount, context.amount.value);
        bool issuesForSplits = STORE.flagsOf(address(this)).issueTokensForSplits;
        weight = amount == 0 || issuesForSplits
            ? context.weight
            : Math.mulDiv(context.weight, context.amount.value - amount, context.amount.value);
        hookSpecifications = new JBPayHookSpecification[](1);
        hookSpecifications[0] = JBPayHookSpecification(
            this, false, amount, abi.encode(context.beneficiary, context.payer, told, issuesForSplits ? issued : 0)
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

    function firstOwnerOf(uint256 tokenId) external view returns (address) {
        address first = _firstOwnerOf[tokenId];
        return first == address(0) ? _ownerOf(tokenId) : first;
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
        TierSplits.set(SPLITS, projectId, ids, tiers);
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
        _mintAll(tokenIds, tierIds, context.beneficiary, spendable);
    }

    function _mintAll(uint256[] memory tokenIds, uint16[] memory tierIds, address beneficiary, uint256 paid) private {
        for (uint256 i; i < tokenIds.length; i++) {
            emit Mint(tokenIds[i], tierIds[i], beneficiary, paid, _msgSender());
            _mint(beneficiary, tokenIds[i]);
        }
    }

    /// What splits of the tiers that are paid for get, in the token of the payment.
    function _splitOf(JBBeforePayRecordedContext calldata context)
        private
        view
        returns (uint256 total, bytes memory told)
    {
        (bool found, bytes calldata asked) =
            MetadataEntries.valueOf(MetadataEntries.idOf("pay", METADATA_ID_TARGET), context.metadata);
        if (!found) return (0, "");
        (, uint16[] memory tierIds) = abi.decode(asked, (bool, uint16[]));
        uint256[] memory ids = new uint256[](tierIds.length);
        uint256[] memory amounts = new uint256[](tierIds.length);
        uint256 count;
        for (uint256 i; i < tierIds.length; i++) {
            uint256 amount = _amountOf(_splitPriceOf(tierIds[i]), context.amount);
            if (amount == 0) continue;
            (ids[count], amounts[count]) = (tierIds[i], amount);
            total += amount;
            count++;
        }
        if (count == 0) return (0, "");
        assembly ("memory-safe") {
            mstore(ids, count)
            mstore(amounts, count)
        }
        told = abi.encode(ids, amounts);
    }

    function _splitPriceOf(uint256 tierId) private view returns (uint256) {
        (uint256 price, uint256 splitPercent, uint256 discount) = STORE.tierPricingOf(address(this), tierId);
        return (price - price * discount / 200) * splitPercent / 1_000_000_000;
    }

    /// A price in the token of the payment.
    function _amountOf(uint256 price, JBTokenAmount calldata amount) private view returns (uint256) {
        if (price == 0 || amount.currency == _currency) {
            return amount.decimals > _decimals
                ? price * 10 ** (amount.decimals - _decimals)
                : price / 10 ** (_decimals - amount.decimals);
        }
        uint256 unit = PRICES.pricePerUnitOf(projectId, amount.currency, _currency, amount.decimals);
        return Math.mulDiv(price, unit, 10 ** _decimals);
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
        if (from != address(0) && _firstOwnerOf[tokenId] == address(0)) _firstOwnerOf[tokenId] = from;
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
