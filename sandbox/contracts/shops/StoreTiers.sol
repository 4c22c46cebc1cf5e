// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IJB721TokenUriResolver} from "./ShopInterfaces.sol";
import {JB721Tier, JB721TiersHookFlags} from "./ShopStructs.sol";

/// What hooks have recorded, as everybody may read it: each hook has tiers of its own, counted from one.
abstract contract StoreTiers {
    uint256 internal constant TOKEN_IDS_PER_TIER = 1_000_000_000;
    uint256 internal constant DISCOUNT_DENOMINATOR = 200;

    mapping(address hook => address) public defaultReserveBeneficiaryOf;
    mapping(address hook => uint256) public maxTierIdOf;
    mapping(address hook => address) public tokenUriResolverOf;
    mapping(address hook => mapping(address owner => mapping(uint256 tierId => uint256))) public tierBalanceOf;
    mapping(address hook => mapping(uint256 tierId => bool)) public isTierRemoved;
    mapping(address hook => mapping(uint256 tierId => uint256)) public numberOfReservesMintedFor;
    mapping(address hook => mapping(uint256 tierId => JB721Tier)) internal _tiers;
    mapping(address hook => JB721TiersHookFlags) internal _flags;
    /// By category, and within one those that were added last come first.
    mapping(address hook => uint256[] tierIds) internal _sorted;

    /// Categories are gone through one after the other, each from the same first tier.
    function tiersOf(
        address hook,
        uint256[] calldata categories,
        bool includeResolvedUri,
        uint256 startingId,
        uint256 size
    ) external view returns (JB721Tier[] memory tiers) {
        tiers = new JB721Tier[](size);
        uint256 count;
        if (startingId > maxTierIdOf[hook] && categories.length == 0) return _neverAdded(tiers, startingId);
        if (categories.length == 0) {
            count = _collect(hook, tiers, 0, startingId, type(uint256).max, includeResolvedUri);
        }
        for (uint256 i; i < categories.length; i++) {
            count = _collect(hook, tiers, count, startingId, categories[i], includeResolvedUri);
        }
        assembly ("memory-safe") {
            mstore(tiers, count)
        }
    }

    function tierOf(address hook, uint256 id, bool includeResolvedUri) public view returns (JB721Tier memory) {
        JB721Tier memory tier = _tiers[hook][id];
        tier.id = uint32(id);
        tier.reserveBeneficiary = reserveBeneficiaryOf(hook, id);
        IJB721TokenUriResolver resolver = IJB721TokenUriResolver(tokenUriResolverOf[hook]);
        if (includeResolvedUri && address(resolver) != address(0)) {
            tier.resolvedUri = resolver.tokenUriOf(hook, id * TOKEN_IDS_PER_TIER);
        }
        return tier;
    }

    function tierOfTokenId(address hook, uint256 tokenId, bool includeResolvedUri)
        external
        view
        returns (JB721Tier memory)
    {
        return tierOf(hook, tierIdOfToken(tokenId), includeResolvedUri);
    }

    function tierPricingOf(address hook, uint256 id)
        external
        view
        returns (uint104 price, uint32 splitPercent, uint8 discountPercent)
    {
        JB721Tier storage tier = _tiers[hook][id];
        return (tier.price, tier.splitPercent, tier.discountPercent);
    }

    function flagsOf(address hook) external view returns (JB721TiersHookFlags memory) {
        return _flags[hook];
    }

    function encodedIpfsUriOf(address hook, uint256 tierId) external view returns (bytes32) {
        return _tiers[hook][tierId].encodedIpfsUri;
    }

    function balanceOf(address hook, address owner) external view returns (uint256) {
        uint256 balance;
        for (uint256 id = 1; id <= maxTierIdOf[hook]; id++) {
            balance += tierBalanceOf[hook][owner][id];
        }
        return balance;
    }

    function totalSupplyOf(address hook) external view returns (uint256 supply) {
        for (uint256 id = 1; id <= maxTierIdOf[hook]; id++) {
            supply += _minted(_tiers[hook][id]);
        }
    }

    /// What is due and not yet minted keeps its part of the supply.
    function numberOfPendingReservesFor(address hook, uint256 tierId) public view returns (uint256) {
        JB721Tier storage tier = _tiers[hook][tierId];
        uint256 frequency = tier.reserveFrequency;
        if (frequency == 0 || reserveBeneficiaryOf(hook, tierId) == address(0)) return 0;
        uint256 reserved = numberOfReservesMintedFor[hook][tierId];
        return (_minted(tier) - reserved + frequency - 1) / frequency - reserved;
    }

    function reserveBeneficiaryOf(address hook, uint256 tierId) public view returns (address) {
        address own = _tiers[hook][tierId].reserveBeneficiary;
        return own == address(0) ? defaultReserveBeneficiaryOf[hook] : own;
    }

    function tierIdOfToken(uint256 tokenId) public pure returns (uint256) {
        return tokenId / TOKEN_IDS_PER_TIER;
    }

    function _minted(JB721Tier storage tier) private view returns (uint256) {
        return tier.initialSupply - tier.remainingSupply;
    }

    /// Past the last tier the deployed store counts on and tells of tiers without anything.
    function _neverAdded(JB721Tier[] memory tiers, uint256 startingId) private pure returns (JB721Tier[] memory) {
        for (uint256 i; i < tiers.length; i++) {
            tiers[i].id = uint32(startingId + i);
        }
        return tiers;
    }

    function _collect(
        address hook,
        JB721Tier[] memory tiers,
        uint256 count,
        uint256 startingId,
        uint256 category,
        bool includeResolvedUri
    ) private view returns (uint256) {
        uint256[] storage sorted = _sorted[hook];
        bool started = startingId == 0;
        for (uint256 i; i < sorted.length && count < tiers.length; i++) {
            uint256 id = sorted[i];
            started = started || id == startingId;
            bool asked = category == type(uint256).max || _tiers[hook][id].category == category;
            if (!started || !asked || isTierRemoved[hook][id]) continue;
            tiers[count] = tierOf(hook, id, includeResolvedUri);
            count++;
        }
        return count;
    }
}
