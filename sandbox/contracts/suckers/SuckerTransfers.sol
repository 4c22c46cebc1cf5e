// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {JBConstants} from "../JBConstants.sol";
import {IJBTerminal} from "../interfaces.sol";
import {MerkleTree} from "./MerkleTree.sol";
import {SuckerAccounts} from "./SuckerAccounts.sol";
import {ICashOutTerminal} from "./SuckerInterfaces.sol";
import {
    JBAccountingSnapshot,
    JBClaim,
    JBInboxTreeRoot,
    JBLeaf,
    JBMessageRoot,
    JBOutboxTree,
    JBRemoteToken,
    JBSuckerState,
    Tree
} from "./SuckerStructs.sol";

/// Carries a project's tokens to its peer, whatever the transport between them.
abstract contract SuckerTransfers is SuckerAccounts {
    using MerkleTree for Tree;
    using SafeERC20 for IERC20;

    event AccountingDataSynced(uint256 sourceTimestamp, address caller);
    event ClaimFailed(address indexed token, uint256 index, address caller);
    event Claimed(
        bytes32 beneficiary,
        address token,
        uint256 projectTokenCount,
        uint256 terminalTokenAmount,
        uint256 index,
        bytes32 metadata,
        address caller
    );
    event InsertToOutboxTree(
        bytes32 indexed beneficiary,
        address indexed token,
        bytes32 hashed,
        uint256 index,
        bytes32 root,
        uint256 projectTokenCount,
        uint256 terminalTokenAmount,
        bytes32 metadata,
        address caller
    );
    event NewInboxTreeRoot(address indexed token, uint64 nonce, bytes32 root, address caller);
    event RootToRemote(bytes32 indexed root, address indexed token, uint256 index, uint64 nonce, address caller);
    event StaleRootRejected(address indexed token, uint64 receivedNonce, uint64 currentNonce, address caller);

    error JBSucker_AmountExceedsUint128(uint256 amount);
    error JBSucker_IndexOutOfRange(uint256 index);
    error JBSucker_InsufficientBalance(uint256 amount, uint256 balance);
    error JBSucker_InsufficientMsgValue(uint256 received, uint256 expected);
    error JBSucker_InvalidMessageVersion(uint8 received, uint8 expected);
    error JBSucker_InvalidProof(bytes32 root, bytes32 inboxRoot);
    error JBSucker_LeafAlreadyExecuted(address token, uint256 index);
    error JBSucker_NotPeer(bytes32 caller);
    error JBSucker_NothingToSend(address token, uint256 outboxBalance, uint256 treeCount, uint256 numberOfClaimsSent);
    error JBSucker_ZeroBeneficiary(bytes32 beneficiary);
    error JBSucker_ZeroERC20Token(uint256 projectId);
    error JBSucker_ZeroProjectTokenCount();

    uint256 private constant RECENT_ROOTS = 4;

    mapping(address token => mapping(uint256 index => bytes32)) public executedLeafHashOf;
    mapping(address token => bytes32[RECENT_ROOTS]) private _recentRootsOf;

    function prepare(
        uint256 projectTokenCount,
        bytes32 beneficiary,
        uint256 minTokensReclaimed,
        address token,
        bytes32 metadata
    ) external {
        if (beneficiary == bytes32(0)) revert JBSucker_ZeroBeneficiary(beneficiary);
        if (projectTokenCount == 0) revert JBSucker_ZeroProjectTokenCount();
        _requireSending();
        _remoteOf(token);
        uint256 amount = _cashOut(projectTokenCount, token, minTokensReclaimed);
        if (amount > type(uint128).max) revert JBSucker_AmountExceedsUint128(amount);
        JBOutboxTree storage outbox = _outboxOf[token];
        JBLeaf memory leaf = JBLeaf(outbox.tree.count, beneficiary, projectTokenCount, amount, metadata);
        bytes32 hashed = _hashOf(leaf);
        outbox.tree.insert(hashed);
        outbox.balance += amount;
        _announce(token, hashed, outbox.tree.root(), leaf);
    }

    function toRemote(address token) external payable {
        _requireSending();
        uint256 payment = _payFee();
        JBRemoteToken memory remote = _remoteOf(token);
        JBOutboxTree storage outbox = _outboxOf[token];
        uint256 count = outbox.tree.count;
        uint256 amount = outbox.balance;
        if (amount == 0 && count == outbox.numberOfClaimsSent) {
            revert JBSucker_NothingToSend(token, amount, count, outbox.numberOfClaimsSent);
        }
        (outbox.balance, outbox.numberOfClaimsSent, outbox.nonce) = (0, uint192(count), outbox.nonce + 1);
        JBInboxTreeRoot memory root = JBInboxTreeRoot(outbox.nonce, outbox.tree.root());
        emit RootToRemote(root.root, token, count - 1, root.nonce, _msgSender());
        _sendRoot(
            token,
            JBMessageRoot(MESSAGE_VERSION, remote.addr, amount, root, _accounts(_sourceTimestamp())),
            payment,
            remote.minGas
        );
    }

    function syncAccountingData() external payable {
        _requireSending();
        _requirePayment(msg.value);
        uint256 timestamp = _sourceTimestamp();
        emit AccountingDataSynced(timestamp, _msgSender());
        _sendAccounts(JBAccountingSnapshot(MESSAGE_VERSION, _accounts(timestamp)), msg.value);
    }

    function fromRemote(JBMessageRoot calldata root) external payable {
        _requirePeer(root.version);
        _remember(root.accounts);
        address token = address(uint160(uint256(root.token)));
        JBInboxTreeRoot storage inbox = _inboxOf[token];
        if (root.remoteRoot.nonce <= inbox.nonce || state() == JBSuckerState.DEPRECATED) {
            emit StaleRootRejected(token, root.remoteRoot.nonce, inbox.nonce, _msgSender());
            return;
        }
        (inbox.nonce, inbox.root) = (root.remoteRoot.nonce, root.remoteRoot.root);
        _recentRootsOf[token][inbox.nonce % RECENT_ROOTS] = inbox.root;
        emit NewInboxTreeRoot(token, inbox.nonce, inbox.root, _msgSender());
    }

    function fromRemoteAccounting(JBAccountingSnapshot calldata snapshot) external {
        _requirePeer(snapshot.version);
        _remember(snapshot.accounts);
    }

    /// One claim that fails leaves the others as they are.
    function claim(JBClaim[] calldata claims) external {
        for (uint256 i; i < claims.length; i++) {
            try this.claim(claims[i]) {}
            catch {
                emit ClaimFailed(claims[i].token, claims[i].leaf.index, _msgSender());
            }
        }
    }

    function claim(JBClaim calldata claimData) external {
        JBLeaf calldata leaf = claimData.leaf;
        _execute(claimData);
        emit Claimed(
            leaf.beneficiary,
            claimData.token,
            leaf.projectTokenCount,
            leaf.terminalTokenAmount,
            leaf.index,
            leaf.metadata,
            _msgSender()
        );
        if (leaf.terminalTokenAmount != 0) _addToBalance(claimData.token, leaf.terminalTokenAmount);
        _controller().mintTokensOf(
            projectId, leaf.projectTokenCount, address(uint160(uint256(leaf.beneficiary))), "", false
        );
    }

    /// What the transport asks for besides the registry's fee.
    function _requirePayment(uint256 payment) internal view virtual;

    function _sendAccounts(JBAccountingSnapshot memory snapshot, uint256 payment) internal virtual;

    /// With what backs it.
    function _sendRoot(address token, JBMessageRoot memory root, uint256 payment, uint32 minGas) internal virtual;

    /// Whether the peer speaks through the caller.
    function _isPeer() internal view virtual returns (bool);

    function _peerAddress() internal view returns (address) {
        return address(uint160(uint256(peer())));
    }

    function _announce(address token, bytes32 hashed, bytes32 root, JBLeaf memory leaf) private {
        emit InsertToOutboxTree(
            leaf.beneficiary,
            token,
            hashed,
            leaf.index,
            root,
            leaf.projectTokenCount,
            leaf.terminalTokenAmount,
            leaf.metadata,
            _msgSender()
        );
    }

    function _cashOut(uint256 count, address token, uint256 least) private returns (uint256) {
        address projectToken = address(TOKENS.tokenOf(projectId));
        if (projectToken == address(0)) revert JBSucker_ZeroERC20Token(projectId);
        IERC20(projectToken).safeTransferFrom(_msgSender(), address(this), count);
        return ICashOutTerminal(_terminalFor(token)).cashOutTokensOf(
            address(this), projectId, count, token, least, payable(address(this)), ""
        );
    }

    function _execute(JBClaim calldata claimData) private {
        (address token, uint256 index) = (claimData.token, claimData.leaf.index);
        if (index > type(uint32).max) revert JBSucker_IndexOutOfRange(index);
        if (executedLeafHashOf[token][index] != bytes32(0)) revert JBSucker_LeafAlreadyExecuted(token, index);
        bytes32 hashed = _hashOf(claimData.leaf);
        executedLeafHashOf[token][index] = hashed;
        bytes32 root = MerkleTree.branchRoot(hashed, claimData.proof, index);
        for (uint256 i; i < RECENT_ROOTS; i++) {
            if (root == _recentRootsOf[token][i]) return;
        }
        revert JBSucker_InvalidProof(root, _inboxOf[token].root);
    }

    function _addToBalance(address token, uint256 amount) private {
        uint256 balance = amountToAddToBalanceOf(token);
        if (amount > balance) revert JBSucker_InsufficientBalance(amount, balance);
        bool isNative = token == JBConstants.NATIVE_TOKEN;
        address terminal = _terminalFor(token);
        if (!isNative) IERC20(token).forceApprove(terminal, amount);
        IJBTerminal(terminal).addToBalanceOf{value: isNative ? amount : 0}(projectId, token, amount, false, "", "");
    }

    /// Answers what is left for the transport.
    function _payFee() private returns (uint256 payment) {
        uint256 fee = REGISTRY.toRemoteFee();
        if (msg.value < fee) revert JBSucker_InsufficientMsgValue(msg.value, fee);
        payment = msg.value - fee;
        _requirePayment(payment);
        if (fee == 0) return payment;
        address token = JBConstants.NATIVE_TOKEN;
        DIRECTORY.primaryTerminalOf(FEE_PROJECT_ID, token).pay{value: fee}(
            FEE_PROJECT_ID, token, fee, _msgSender(), 0, "", ""
        );
    }

    function _requirePeer(uint8 version) private view {
        if (!_isPeer()) revert JBSucker_NotPeer(bytes32(uint256(uint160(msg.sender))));
        if (version != MESSAGE_VERSION) revert JBSucker_InvalidMessageVersion(version, MESSAGE_VERSION);
    }

    function _hashOf(JBLeaf memory leaf) private pure returns (bytes32) {
        return keccak256(
            abi.encode(leaf.projectTokenCount, leaf.terminalTokenAmount, leaf.beneficiary, leaf.metadata)
        );
    }
}
