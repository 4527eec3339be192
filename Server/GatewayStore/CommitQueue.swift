package import WaypostSchema

/// The agents and devices that a change affects; an engine may lock those of all changes before it makes any.
package struct ChangeSubjects: Sendable {
    /// The numbers of the agents.
    package var agents: Set<Int> = []

    /// The tokens of the devices.
    package var tokens: Set<DeviceToken> = []

    /// The digests of the secrets of further agents, which may not exist.
    package var digests: Set<SecretDigest> = []

    /// Creates the value from its parts.
    package init(agents: Set<Int> = [], tokens: Set<DeviceToken> = [], digests: Set<SecretDigest> = []) {
        (self.agents, self.tokens, self.digests) = (agents, tokens, digests)
    }
}

/// The queue of changes that wait to be written, as a value; an engine makes them in a `Transaction`.
package struct CommitQueue<Transaction>: Sendable {
    /// A change whose caller waits for its commit.
    package struct PendingChange: Sendable {
        /// The number of items in the change.
        package var weight: Int

        /// The agents and devices that the change concerns.
        package var subjects: ChangeSubjects

        /// Makes the change.
        package var run: @Sendable (inout Transaction) throws -> CompletedChange

        /// Notifies the caller of the error.
        package var fail: @Sendable (StoreError) -> Void

        /// Creates the value from its parts.
        ///
        /// - Parameters:
        ///   - weight: the number of items in the change.
        ///   - subjects: the agents and devices that the change concerns.
        ///   - work: makes the change; called again if another change in the same transaction failed.
        ///   - then: called with the result of `work` once the change is durable.
        ///   - complete: called with the result after `then`, or with the error.
        package init<Value: Sendable>(
            weight: Int,
            subjects: ChangeSubjects = ChangeSubjects(),
            work: @escaping @Sendable (inout Transaction) throws -> Value,
            then: @escaping @Sendable (Value) -> Void,
            complete: @escaping @Sendable (Result<Value, StoreError>) -> Void
        ) {
            self.weight = weight
            self.subjects = subjects
            run = { transaction in
                let value = try work(&transaction)
                return CompletedChange(publish: { then(value) }, complete: { complete(.success(value)) })
            }
            fail = { complete(.failure($0)) }
        }
    }

    /// A change that was made in a transaction, which may not be committed yet.
    package struct CompletedChange: Sendable {
        /// Publishes the result once the change is on disk.
        package var publish: @Sendable () -> Void

        /// Returns the result to the caller after that.
        package var complete: @Sendable () -> Void
    }

    /// The result of adding a change.
    package enum AddResult: Equatable {
        /// The change waits, and the writer is already awake.
        case queued

        /// The change waits, and the caller must wake the writer.
        case needsWakeUp

        /// The change is refused.
        case refused(StoreError)
    }

    private let maximumItems: Int
    private var pendingChanges: [PendingChange] = []
    private var isWriterAwake = false
    private var isClosed = false

    /// The number of items that wait.
    package private(set) var itemCount = 0

    /// Creates an empty queue that accepts up to `maximumItems` items, or one change of any weight.
    package init(maximumItems: Int) {
        self.maximumItems = maximumItems
    }

    /// Adds a change to the queue.
    package mutating func add(_ pendingChange: PendingChange) -> AddResult {
        guard !isClosed else { return .refused(.failed("the store is closed")) }
        guard itemCount == 0 || itemCount + pendingChange.weight <= maximumItems else { return .refused(.overloaded) }
        pendingChanges.append(pendingChange)
        itemCount += pendingChange.weight
        defer { isWriterAwake = true }
        return isWriterAwake ? .queued : .needsWakeUp
    }

    /// Removes and returns the first changes: those with up to `maximumItems` items in total, but at least one.
    ///
    /// If the result is empty, the writer may sleep.
    package mutating func removeNext(maximumItems: Int) -> [PendingChange] {
        var weight = 0
        let count = pendingChanges.prefix { pendingChange in
            weight += pendingChange.weight
            return weight <= maximumItems
        }.count
        let next = Array(pendingChanges.prefix(max(1, count)))
        pendingChanges.removeFirst(next.count)
        itemCount -= next.reduce(0) { $0 + $1.weight }
        isWriterAwake = !next.isEmpty
        return next
    }

    /// Refuses all further changes.
    package mutating func close() {
        isClosed = true
    }
}

extension CommitQueue {
    /// Commits changes in one transaction; if it fails, commits each half in a transaction of its own, and so on.
    ///
    /// In the end, only the caller of the failing change gets the error, and the others lose little time.
    ///
    /// - Parameters:
    ///   - pendingChanges: the changes.
    ///   - onCommit: called with the outcome of each transaction before the callers get theirs.
    ///   - transact: makes the changes in a transaction; returns them, and whether it wrote anything.
    package static func commit(
        _ pendingChanges: ArraySlice<PendingChange>,
        onCommit: (CommitReport) -> Void,
        _ transact: (ArraySlice<PendingChange>) throws(StoreError) -> (changes: [CompletedChange], hasWrites: Bool)
    ) {
        let start = ContinuousClock.now
        func report(hasWrites: Bool, _ error: StoreError?) {
            let itemCount = pendingChanges.reduce(0) { $0 + $1.weight }
            onCommit(
                CommitReport(
                    itemCount: itemCount,
                    duration: start.duration(to: .now),
                    hasWrites: hasWrites,
                    error: error
                )
            )
        }
        do throws(StoreError) {
            let (changes, hasWrites) = try transact(pendingChanges)
            report(hasWrites: hasWrites, nil)
            for change in changes {
                change.publish()
                change.complete()
            }
        } catch {
            if pendingChanges.count == 1 || error.affectsAllCallers {
                report(hasWrites: false, error)
                for pendingChange in pendingChanges { pendingChange.fail(error) }
            } else {
                commit(pendingChanges.prefix(pendingChanges.count / 2), onCommit: onCommit, transact)
                commit(pendingChanges.dropFirst(pendingChanges.count / 2), onCommit: onCommit, transact)
            }
        }
    }
}

extension StoreError {
    /// Whether the error affects all callers instead of a single change.
    fileprivate var affectsAllCallers: Bool {
        switch self {
        case .busy, .readOnly, .moved, .unavailable, .outcomeUnknown: true
        case .full, .overloaded, .failed: false
        }
    }
}

/// The outcome of one transaction, for observers of the store.
package struct CommitReport: Sendable, Equatable {
    /// The number of items in the changes that were committed together.
    package var itemCount: Int

    /// The duration of the transaction, including its sync.
    package var duration: Duration

    /// Whether anything was written.
    package var hasWrites: Bool

    /// The error that the callers received; `nil` if the transaction is on disk.
    package var error: StoreError?

    /// Whether the disk has room for changes that add something; true if the engine does not know.
    package var hasRoom: Bool

    /// Creates the value from its parts.
    package init(
        itemCount: Int,
        duration: Duration,
        hasWrites: Bool,
        error: StoreError? = nil,
        hasRoom: Bool = true
    ) {
        self.itemCount = itemCount
        self.duration = duration
        self.hasWrites = hasWrites
        self.error = error
        self.hasRoom = hasRoom
    }
}
