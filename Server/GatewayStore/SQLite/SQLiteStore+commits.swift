internal import GRDB

extension SQLiteStore {
    /// How many items wait to be written.
    package var waitingItems: Int {
        commits.waitingItems
    }

    /// Makes a commit that changes nothing but the count of commits, and returns once it is on the disk: where that goes,
    /// the store takes changes.
    ///
    /// - Throws: `StoreFault`.
    package func probe() async throws(StoreFault) {
        try await commits.perform(weight: 0) { ledger in
            try ledger.execute("UPDATE store SET commits = commits", [])
        }
    }
}
