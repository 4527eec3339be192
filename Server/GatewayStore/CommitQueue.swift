package import WaypostSchema

/// The agents and devices that a change concerns, for an engine that locks those of all changes of a transaction first.
package struct ChangeSubjects: Sendable {
    /// The numbers of the agents.
    package var agents: Set<Int> = []

    /// The tokens of the devices.
    package var tokens: Set<DeviceToken> = []

    /// Creates the value from its parts.
    package init(agents: Set<Int> = [], tokens: Set<DeviceToken> = []) {
        (self.agents, self.tokens) = (agents, tokens)
    }
}

/// The queue of changes that wait to be written, as a value; an engine makes them in a `Transaction`.
package struct CommitQueue<Transaction>: Sendable {
    /// A change whose caller waits for its commit.
    package struct Piece: Sendable {
        /// The number of items in the change.
        package var weight: Int

        /// The agents and devices that the change concerns.
        package var subjects: ChangeSubjects

        /// Makes the change.
        package var run: @Sendable (inout Transaction) throws -> MadeChange

        /// Notifies the caller of the error.
        package var fail: @Sendable (StoreError) -> Void

        /// Creates the piece that makes a change.
        ///
        /// - Parameters:
        ///   - weight: the number of items in the change.
        ///   - subjects: the agents and devices that the change concerns.
        ///   - work: makes the change; called again if another change in the same transaction failed.
        ///   - then: called with the result of `work` once the change is durable.
        ///   - answer: called with the result after `then`, or with the error.
        package init<Value: Sendable>(
            weight: Int,
            subjects: ChangeSubjects = ChangeSubjects(),
            work: @escaping @Sendable (inout Transaction) throws -> Value,
            then: @escaping @Sendable (Value) -> Void,
            answer: @escaping @Sendable (Result<Value, StoreError>) -> Void
        ) {
            self.weight = weight
            self.subjects = subjects
            run = { transaction in
                let value = try work(&transaction)
                return MadeChange(passOn: { then(value) }, answer: { answer(.success(value)) })
            }
            fail = { answer(.failure($0)) }
        }
    }

    /// A change that was made in a transaction, which may not be committed yet.
    package struct MadeChange: Sendable {
        /// Passes the result on to others, once the change is on disk.
        package var passOn: @Sendable () -> Void

        /// Answers the caller after that.
        package var answer: @Sendable () -> Void
    }

    /// The result of adding a piece.
    package enum Admission: Equatable {
        /// The piece waits, and the writer is already awake.
        case waits

        /// The piece waits, and the caller must wake the writer.
        case wakes

        /// The piece is refused.
        case refused(StoreError)
    }

    private let itemLimit: Int
    private var pieces: [Piece] = []
    private var isAwake = false
    private var isClosed = false

    /// The number of items that wait.
    package private(set) var items = 0

    /// Creates an empty queue that accepts up to `itemLimit` items, or one piece of any weight.
    package init(itemLimit: Int) {
        self.itemLimit = itemLimit
    }

    /// Adds a piece to the queue.
    package mutating func add(_ piece: Piece) -> Admission {
        guard !isClosed else { return .refused(.failed("the store is closed")) }
        guard items == 0 || items + piece.weight <= itemLimit else { return .refused(.overloaded) }
        pieces.append(piece)
        items += piece.weight
        defer { isAwake = true }
        return isAwake ? .waits : .wakes
    }

    /// Removes and returns the first pieces: as many as have `itemLimit` items in total, but at least one.
    ///
    /// If the result is empty, the writer may sleep.
    package mutating func next(itemLimit: Int) -> [Piece] {
        var length = 0
        let count = pieces.prefix { piece in
            length += piece.weight
            return length <= itemLimit
        }.count
        let next = Array(pieces.prefix(max(1, count)))
        pieces.removeFirst(next.count)
        items -= next.reduce(0) { $0 + $1.weight }
        isAwake = !next.isEmpty
        return next
    }

    /// Refuses all further pieces.
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
    ///   - pieces: the changes.
    ///   - onCommit: called with the outcome of each transaction before the callers get theirs.
    ///   - transact: makes the changes in a transaction; returns them, and whether it wrote anything.
    package static func commit(
        _ pieces: ArraySlice<Piece>,
        onCommit: (CommitReport) -> Void,
        _ transact: (ArraySlice<Piece>) throws(StoreError) -> (changes: [MadeChange], wrote: Bool)
    ) {
        let start = ContinuousClock.now
        func report(wrote: Bool, _ error: StoreError?) {
            let items = pieces.reduce(0) { $0 + $1.weight }
            onCommit(CommitReport(items: items, duration: start.duration(to: .now), wrote: wrote, error: error))
        }
        do throws(StoreError) {
            let (changes, wrote) = try transact(pieces)
            report(wrote: wrote, nil)
            for change in changes {
                change.passOn()
                change.answer()
            }
        } catch {
            if pieces.count == 1 || error.concernsEverybody {
                report(wrote: false, error)
                for piece in pieces { piece.fail(error) }
            } else {
                commit(pieces.prefix(pieces.count / 2), onCommit: onCommit, transact)
                commit(pieces.dropFirst(pieces.count / 2), onCommit: onCommit, transact)
            }
        }
    }
}

extension StoreError {
    /// Whether the error affects all callers instead of a single change.
    fileprivate var concernsEverybody: Bool {
        switch self {
        case .busy, .readOnly, .moved, .unavailable, .unknown: true
        case .full, .overloaded, .failed: false
        }
    }
}

/// The outcome of one transaction, for observers of the store.
package struct CommitReport: Sendable, Equatable {
    /// The number of items in the changes that were committed together.
    package var items: Int

    /// The duration of the transaction, including its sync.
    package var duration: Duration

    /// Whether anything was written.
    package var wrote: Bool

    /// The error that the callers received; `nil` if the transaction is on disk.
    package var error: StoreError?

    /// Creates the value from its parts.
    package init(items: Int, duration: Duration, wrote: Bool, error: StoreError? = nil) {
        self.items = items
        self.duration = duration
        self.wrote = wrote
        self.error = error
    }
}
