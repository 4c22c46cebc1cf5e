// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {JB721Tier, JB721TierConfig, JB721TierFlags, JB721TiersHookFlags} from "./ShopStructs.sol";
import {StoreTiers} from "./StoreTiers.sol";

/// The tiers of every hook: each records its own as msg.sender.
contract JB721TiersHookStore is StoreTiers {
    error JB721TiersHookStore_CantMintManually(uint256 tierId);
    error JB721TiersHookStore_CantRemoveTier(uint256 tierId);
    error JB721TiersHookStore_DeadlockedReserve(uint256 tierId, uint256 initialSupply, uint256 reserveFrequency);
    error JB721TiersHookStore_DiscountPercentExceedsBounds(uint256 percent, uint256 limit);
    error JB721TiersHookStore_DiscountPercentIncreaseNotAllowed(uint256 percent, uint256 storedPercent);
    error JB721TiersHookStore_InsufficientPendingReserves(uint256 count, uint256 numberOfPendingReserves);
    error JB721TiersHookStore_InsufficientSupplyRemaining(uint256 tierId);
    error JB721TiersHookStore_InvalidCategorySortOrder(uint256 tierCategory, uint256 previousTierCategory);
    error JB721TiersHookStore_InvalidQuantity(uint256 quantity, uint256 limit);
    error JB721TiersHookStore_ManualMintingNotAllowed(uint256 tierId);
    error JB721TiersHookStore_MaxTiersExceeded(uint256 numberOfTiers, uint256 limit);
    error JB721TiersHookStore_MissingReserveBeneficiary(uint256 tierId);
    error JB721TiersHookStore_PriceExceedsAmount(uint256 price, uint256 leftoverAmount);
    error JB721TiersHookStore_ReserveFrequencyNotAllowed(uint256 tierId);
    error JB721TiersHookStore_SplitPercentExceedsBounds(uint256 percent, uint256 limit);
    error JB721TiersHookStore_TierRemoved(uint256 tierId);
    error JB721TiersHookStore_UnrecognizedTier(uint256 tierId);
    error JB721TiersHookStore_VotingUnitsNotAllowed(uint256 tierId);
    error JB721TiersHookStore_ZeroInitialSupply(uint256 tierId);

    event CleanTiers(address indexed hook, address caller);
    event SetDefaultReserveBeneficiary(address indexed hook, address indexed newBeneficiary, address caller);

    uint256 private constant MAX_SPLIT_PERCENT = 1_000_000_000;
    uint256 private constant MAX_SUPPLY = TOKEN_IDS_PER_TIER - 1;
    uint256 private constant MAX_TIERS = type(uint16).max;

    function recordAddTiers(JB721TierConfig[] calldata tiersToAdd) external returns (uint256[] memory tierIds) {
        uint256 id = maxTierIdOf[msg.sender];
        uint256 firstId = id + 1;
        if (id + tiersToAdd.length > MAX_TIERS) {
            revert JB721TiersHookStore_MaxTiersExceeded(id + tiersToAdd.length, MAX_TIERS);
        }
        tierIds = new uint256[](tiersToAdd.length);
        for (uint256 i; i < tiersToAdd.length; i++) {
            JB721TierConfig calldata tier = tiersToAdd[i];
            if (i != 0 && tier.category < tiersToAdd[i - 1].category) {
                revert JB721TiersHookStore_InvalidCategorySortOrder(tier.category, tiersToAdd[i - 1].category);
            }
            tierIds[i] = ++id;
            _requireWithinBounds(id, tier);
            _requireAllowed(id, tier);
            _add(id, tier);
            _sort(id, tier.category, firstId);
        }
        maxTierIdOf[msg.sender] = id;
    }

    function recordRemoveTierIds(uint256[] calldata tierIds) external {
        for (uint256 i; i < tierIds.length; i++) {
            JB721Tier storage tier = _tiers[msg.sender][tierIds[i]];
            if (tier.initialSupply == 0) revert JB721TiersHookStore_UnrecognizedTier(tierIds[i]);
            if (tier.flags.cantBeRemoved) revert JB721TiersHookStore_CantRemoveTier(tierIds[i]);
            isTierRemoved[msg.sender][tierIds[i]] = true;
        }
    }

    function recordFlags(JB721TiersHookFlags calldata flags) external {
        _flags[msg.sender] = flags;
    }

    function recordSetDiscountPercentOf(uint256 tierId, uint256 discountPercent) external {
        if (discountPercent > DISCOUNT_DENOMINATOR) {
            revert JB721TiersHookStore_DiscountPercentExceedsBounds(discountPercent, DISCOUNT_DENOMINATOR);
        }
        JB721Tier storage tier = _tiers[msg.sender][tierId];
        if (discountPercent > tier.discountPercent && tier.flags.cantIncreaseDiscountPercent) {
            revert JB721TiersHookStore_DiscountPercentIncreaseNotAllowed(discountPercent, tier.discountPercent);
        }
        tier.discountPercent = uint8(discountPercent);
    }

    function recordMintReservesFor(uint256 tierId, uint256 count) external returns (uint256[] memory tokenIds) {
        uint256 pending = numberOfPendingReservesFor(msg.sender, tierId);
        if (count > pending) revert JB721TiersHookStore_InsufficientPendingReserves(count, pending);
        numberOfReservesMintedFor[msg.sender][tierId] += count;
        JB721Tier storage tier = _tiers[msg.sender][tierId];
        tokenIds = new uint256[](count);
        for (uint256 i; i < count; i++) {
            tier.remainingSupply--;
            tokenIds[i] = _tokenIdOf(tierId, tier);
        }
    }

    /// Removed tiers are passed over wherever tiers are gone through, so that nothing is left to sort out.
    function cleanTiers(address hook) external {
        emit CleanTiers(hook, msg.sender);
    }

    function recordSetTokenUriResolver(address resolver) external {
        tokenUriResolverOf[msg.sender] = resolver;
    }

    /// What is left of the amount after the prices, and what of them credits could not pay.
    function recordMint(uint256 amount, uint16[] calldata tierIds, bool isOwnerMint)
        external
        returns (uint256[] memory tokenIds, uint256 leftoverAmount, uint256 restrictedCost)
    {
        leftoverAmount = amount;
        tokenIds = new uint256[](tierIds.length);
        for (uint256 i; i < tierIds.length; i++) {
            JB721Tier storage tier = _mintable(tierIds[i], isOwnerMint);
            uint256 price = _priceOf(tier);
            if (price > leftoverAmount) revert JB721TiersHookStore_PriceExceedsAmount(price, leftoverAmount);
            leftoverAmount -= price;
            if (tier.flags.cantBuyWithCredits) restrictedCost += price;
            tokenIds[i] = _mint(tierIds[i], tier);
        }
    }

    function recordTransferForTier(uint256 tierId, address from, address to) external {
        if (from != address(0)) tierBalanceOf[msg.sender][from][tierId]--;
        if (to != address(0)) tierBalanceOf[msg.sender][to][tierId]++;
    }

    function _mintable(uint256 id, bool isOwnerMint) private view returns (JB721Tier storage tier) {
        tier = _tiers[msg.sender][id];
        if (isTierRemoved[msg.sender][id]) revert JB721TiersHookStore_TierRemoved(id);
        if (tier.initialSupply == 0) revert JB721TiersHookStore_UnrecognizedTier(id);
        if (isOwnerMint && !tier.flags.allowOwnerMint) revert JB721TiersHookStore_CantMintManually(id);
        if (tier.remainingSupply == 0) revert JB721TiersHookStore_InsufficientSupplyRemaining(id);
    }

    function _mint(uint256 id, JB721Tier storage tier) private returns (uint256 tokenId) {
        tier.remainingSupply--;
        if (tier.remainingSupply < numberOfPendingReservesFor(msg.sender, id)) {
            revert JB721TiersHookStore_InsufficientSupplyRemaining(id);
        }
        return _tokenIdOf(id, tier);
    }

    function _tokenIdOf(uint256 id, JB721Tier storage tier) private view returns (uint256) {
        return id * TOKEN_IDS_PER_TIER + tier.initialSupply - tier.remainingSupply;
    }

    function _priceOf(JB721Tier storage tier) private view returns (uint256) {
        uint256 price = tier.price;
        return price - price * tier.discountPercent / DISCOUNT_DENOMINATOR;
    }

    function _requireWithinBounds(uint256 id, JB721TierConfig calldata tier) private pure {
        uint256 supply = tier.initialSupply;
        if (supply == 0) revert JB721TiersHookStore_ZeroInitialSupply(id);
        if (supply > MAX_SUPPLY) revert JB721TiersHookStore_InvalidQuantity(supply, MAX_SUPPLY);
        if (tier.discountPercent > DISCOUNT_DENOMINATOR) {
            revert JB721TiersHookStore_DiscountPercentExceedsBounds(tier.discountPercent, DISCOUNT_DENOMINATOR);
        }
        if (tier.splitPercent > MAX_SPLIT_PERCENT) {
            revert JB721TiersHookStore_SplitPercentExceedsBounds(tier.splitPercent, MAX_SPLIT_PERCENT);
        }
        if (supply == 1 && tier.reserveFrequency != 0) {
            revert JB721TiersHookStore_DeadlockedReserve(id, supply, tier.reserveFrequency);
        }
    }

    function _requireAllowed(uint256 id, JB721TierConfig calldata tier) private view {
        JB721TiersHookFlags storage flags = _flags[msg.sender];
        bool hasVotes = tier.flags.useVotingUnits ? tier.votingUnits != 0 : tier.price != 0;
        if (flags.noNewTiersWithVotes && hasVotes) revert JB721TiersHookStore_VotingUnitsNotAllowed(id);
        if (flags.noNewTiersWithReserves && tier.reserveFrequency != 0) {
            revert JB721TiersHookStore_ReserveFrequencyNotAllowed(id);
        }
        if (flags.noNewTiersWithOwnerMinting && tier.flags.allowOwnerMint) {
            revert JB721TiersHookStore_ManualMintingNotAllowed(id);
        }
        address beneficiary = tier.reserveBeneficiary;
        if (beneficiary == address(0)) beneficiary = defaultReserveBeneficiaryOf[msg.sender];
        if (tier.reserveFrequency != 0 && beneficiary == address(0)) {
            revert JB721TiersHookStore_MissingReserveBeneficiary(id);
        }
    }

    function _add(uint256 id, JB721TierConfig calldata config) private {
        JB721Tier storage tier = _tiers[msg.sender][id];
        tier.id = uint32(id);
        tier.price = config.price;
        tier.remainingSupply = config.initialSupply;
        tier.initialSupply = config.initialSupply;
        tier.votingUnits = config.flags.useVotingUnits ? config.votingUnits : config.price;
        tier.reserveFrequency = config.reserveFrequency;
        tier.encodedIpfsUri = config.encodedIpfsUri;
        tier.category = config.category;
        tier.discountPercent = config.discountPercent;
        tier.splitPercent = config.splitPercent;
        tier.flags = JB721TierFlags(
            config.flags.allowOwnerMint,
            config.flags.transfersPausable,
            config.flags.cantBeRemoved,
            config.flags.cantIncreaseDiscountPercent,
            config.flags.cantBuyWithCredits
        );
        _setReserveBeneficiary(tier, config);
    }

    function _setReserveBeneficiary(JB721Tier storage tier, JB721TierConfig calldata config) private {
        if (config.reserveBeneficiary == address(0)) return;
        if (!config.flags.useReserveBeneficiaryAsDefault) {
            tier.reserveBeneficiary = config.reserveBeneficiary;
            return;
        }
        defaultReserveBeneficiaryOf[msg.sender] = config.reserveBeneficiary;
        emit SetDefaultReserveBeneficiary(msg.sender, config.reserveBeneficiary, msg.sender);
    }

    /// New tiers come before the earlier ones of their category, and among themselves as they were added.
    function _sort(uint256 id, uint256 category, uint256 firstId) private {
        uint256[] storage sorted = _sorted[msg.sender];
        sorted.push(id);
        uint256 at = sorted.length - 1;
        for (; at != 0 && _comesBefore(category, firstId, sorted[at - 1]); at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = id;
    }

    function _comesBefore(uint256 category, uint256 firstId, uint256 otherId) private view returns (bool) {
        uint256 other = _tiers[msg.sender][otherId].category;
        return category < other || (category == other && otherId < firstId);
    }
}
