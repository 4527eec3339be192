/// The moment at which a proxy cuts a connection that commits a transaction.
enum CommitCut: Sendable, Equatable {
    /// The server never gets the statement COMMIT.
    ///
    /// If the server does not notice that the client is gone, its transaction stays open until a time-out of the server
    /// ends it.
    case before(serverNotices: Bool)

    /// The server gets the statement COMMIT, but the client never gets the answer.
    ///
    /// The client loses the connection at once, when the server may not have executed the statement yet, or when the
    /// server has answered.
    case after(waitsForAnswer: Bool)

    /// Returns a random cut before the statement.
    static func anyBefore(using generator: inout some RandomNumberGenerator) -> Self {
        .before(serverNotices: Bool.random(using: &generator))
    }

    /// Returns a random cut after the statement.
    static func anyAfter(using generator: inout some RandomNumberGenerator) -> Self {
        .after(waitsForAnswer: Bool.random(using: &generator))
    }
}
