/// What waits to be written, as a value.
struct CommitQueue: Sendable {
    /// A change that somebody waits for.
    struct Piece: Sendable {
        /// How many items it carries.
        var weight: Int

        /// Makes the change; what it returns is called once the change is on the disk, and answers whoever waits.
        var run: @Sendable (inout StoreTransaction) throws -> @Sendable () -> Void

        /// Tells whoever waits that nothing was changed.
        var fail: @Sendable (StoreError) -> Void
    }

    /// What becomes of a piece that was handed in.
    enum Admission: Equatable {
        /// It waits, and the writer knows already.
        case waits

        /// It waits, and the writer is to be woken.
        case wakes

        /// It is not taken.
        case refused(StoreError)
    }

    private let itemLimit: Int
    private var pieces: [Piece] = []
    private var isAwake = false
    private var isClosed = false

    /// How many items wait.
    private(set) var items = 0

    /// Creates an empty queue that takes `itemLimit` items, or one piece of any weight.
    init(itemLimit: Int) {
        self.itemLimit = itemLimit
    }

    /// Takes a piece in.
    mutating func add(_ piece: Piece) -> Admission {
        guard !isClosed else { return .refused(.failed("the store is closed")) }
        guard items == 0 || items + piece.weight <= itemLimit else { return .refused(.overloaded) }
        pieces.append(piece)
        items += piece.weight
        defer { isAwake = true }
        return isAwake ? .waits : .wakes
    }

    /// Hands out the first pieces: as many as have `itemLimit` items together, or one; none where the writer may sleep.
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

    /// Takes nothing in any more.
    mutating func close() {
        isClosed = true
    }
}

/// What became of one transaction, for those who watch the store.
package struct CommitReport: Sendable, Equatable {
    /// How many items the changes carried that were made together.
    package var items: Int

    /// How long it took, with its sync.
    package var duration: Duration

    /// Whether anything was written.
    package var wrote: Bool

    /// Why nothing was changed, and whoever waited was told so; `nil` where the transaction is on the disk.
    package var error: StoreError?
}
