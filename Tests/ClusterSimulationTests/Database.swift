/// The database: the committed rows, the locks of active transactions, and earlier states that a replica may have.
struct Database {
    /// A row that a transaction can lock.
    enum Row: Hashable {
        case agent(Int)
        case session(Int)
        case item(Int)
        case flight(Int)
        case handle(Int)
    }

    /// The last numbers that were drawn; a transaction that is rolled back does not return them.
    struct Counters {
        var sequence = 0
        var epoch = 0
        var gateway = 0
        var handle = 0

        fileprivate mutating func jump() {
            sequence += Database.jump
            epoch += Database.jump
            gateway += Database.jump
            handle += Database.jump
        }
    }

    private static let jump = 1 << 30

    /// How many commits a replica may lack.
    private static let historyLimit = 24

    private(set) var tables = Tables()
    var counters = Counters()

    private var holders: [Row: Int] = [:]
    private var history: [(tables: Tables, counters: Counters)] = []
}

/// Locks.
extension Database {
    /// Locks a row for a transaction until it ends; returns whether no other transaction has the lock.
    mutating func lock(_ row: Row, for transaction: Int) -> Bool {
        guard holders[row] == nil || holders[row] == transaction else { return false }
        holders[row] = transaction
        return true
    }

    /// Returns the transaction that has locked a row.
    func holder(of row: Row) -> Int? {
        holders[row]
    }

    /// Ends a transaction without its changes.
    mutating func rollBack(_ transaction: Int) {
        holders = holders.filter { $0.value != transaction }
    }
}

/// Changes.
extension Database {
    /// Commits the changes of a transaction, and releases its locks.
    mutating func commit(_ writes: [Transaction.Write], of transaction: Int) {
        change { tables in
            for write in writes { write(&tables) }
        }
        rollBack(transaction)
    }

    /// Makes a change that is a transaction of its own.
    mutating func change(_ write: Transaction.Write) {
        history.append((tables, counters))
        if history.count > Self.historyLimit { history.removeFirst() }
        write(&tables)
    }

    /// The number of commits that the next server may lack.
    var commitsToLose: Int {
        history.count
    }

    /// Lets a replica take over that lacks the last commits; all transactions end.
    mutating func failOver(losing commits: Int, jumps: Bool) {
        holders = [:]
        guard commits > 0, commits <= history.count else { return }
        (tables, counters) = history[history.count - commits]
        history = []
        if jumps { counters.jump() }
    }
}
