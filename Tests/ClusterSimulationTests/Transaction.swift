/// A transaction of a gateway's writer: its statements, and what they have read and written so far.
///
/// A statement reads the rows that are committed when it runs, and those that the transaction has written.
struct Transaction {
    typealias Write = (inout Tables) -> Void

    /// The outcome of a statement.
    enum Outcome {
        /// The next statement can run.
        case done

        /// The statement needs the lock that another transaction has on this row.
        case waits(Database.Row)

        /// The handle of the gateway no longer exists.
        case expelled

        /// The transaction is committed.
        case committed
    }

    /// The values that statements pass to later ones.
    struct Memory {
        var first = 0
        var sessions: [Int: Tables.Session]?

        /// The sessions of ended gateways: agents and epochs.
        var found: [(agent: Int, epoch: Int)] = []

        /// The agents without a session whose inboxes collapse.
        var closed: [Int] = []
        var settlements: [Settlement] = []
        var payloads: [Notification] = []
        var nudged: Set<Int> = []
        var foreign: Set<Int> = []
        var last = 0
    }

    /// The number, never used again.
    let number: Int

    /// The changes whose callers wait for the commit; empty if the gateway joins again.
    let changes: [Change]

    let rules: Rules

    private let script: [Statement]
    private var next = 0

    /// The row for whose lock the present statement waits.
    var waitsFor: Database.Row?

    private(set) var isCommitted = false

    var memory = Memory()
    var writes: [Write] = []
    var effects: [Effect] = []

    /// The notifications that it has accepted.
    var accepted: [Notification] = []

    /// Creates a transaction that makes changes together.
    init(_ number: Int, making changes: [Change], _ rules: Rules) {
        self.number = number
        self.changes = changes
        self.rules = rules
        script = changes.flatMap { $0.statements(rules) } + [.updateHandle, .commit]
    }

    /// Creates a transaction that makes a process a new gateway.
    init(joiningAs number: Int, _ rules: Rules) {
        self.number = number
        self.rules = rules
        changes = []
        script = [.rejoin, .commit]
    }

    /// The statement that runs next.
    var statement: Statement {
        script[next]
    }

    /// Runs the next statement, or continues with the one that has waited.
    mutating func run(on database: inout Database, in handle: GatewayProcess.Handle) throws(Violation) -> Outcome {
        let statement = statement
        var view = database.tables
        for write in writes { write(&view) }
        if case .lockAndReadSessions = statement, memory.sessions == nil { memory.sessions = view.sessions }
        for row in rows(of: statement, in: view, handle) {
            guard database.lock(row, for: number) else {
                waitsFor = row
                return .waits(row)
            }
        }
        waitsFor = nil
        next += 1
        if case .commit = statement {
            database.commit(writes, of: number)
            isCommitted = true
            return .committed
        }
        return try apply(statement, to: view, &database.counters, handle) ? .done : .expelled
    }
}
