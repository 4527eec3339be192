/// The queue of changes that wait to be written, as a value.
struct CommitQueue: Sendable {
    /// A change whose caller waits for its commit.
    struct Piece: Sendable {
        /// The number of items in the change.
        var weight: Int

        /// Makes the change, and returns a closure that answers the caller once the change is on disk.
        var run: @Sendable (inout StoreTransaction) throws -> @Sendable () -> Void

        /// Notifies the caller of the error.
        var fail: @Sendable (StoreError) -> Void
    }

    /// The result of adding a piece.
    enum Admission: Equatable {
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
    private(set) var items = 0

    /// Creates an empty queue that accepts up to `itemLimit` items, or one piece of any weight.
    init(itemLimit: Int) {
        self.itemLimit = itemLimit
    }

    /// Adds a piece to the queue.
    mutating func add(_ piece: Piece) -> Admission {
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
    mutating func next(itemLimit: Int) -> [Piece] {
        var taken = 0
        let count = pieces.prefix { piece in
            taken += piece.weight
            return taken <= itemLimit
        }.count
        let next = Array(pieces.prefix(max(1, count)))
        pieces.removeFirst(next.count)
        items -= next.reduce(0) { $0 + $1.weight }
        isAwake = !next.isEmpty
        return next
    }

    /// Refuses all further pieces.
    mutating func close() {
        isClosed = true
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
}
