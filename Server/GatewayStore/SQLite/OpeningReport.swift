/// A store that was opened, and what a person should hear about that.
package struct OpenedStore: Sendable {
    /// The store.
    package let store: SQLiteStore

    /// What a person should hear.
    package let report: OpeningReport
}

/// What a person should hear about a store that was opened.
package struct OpeningReport: Sendable, Equatable {
    /// The version of the file's schema.
    package let version: Int

    /// What was answered and is not there.
    package let lost: LostCommits?
}

/// Commits that were answered and are missing, because the disk did not keep what it had said it would.
package struct LostCommits: Sendable, Equatable, CustomStringConvertible {
    /// How many there were.
    package let count: Int

    /// The last sequence that the store knows of.
    package let firstMissingAfter: Int

    /// The last sequence that was given out.
    package let lastSequence: Int

    /// The loss in words.
    package var description: String {
        let commits = count == 1 ? "1 commit that was answered is" : "\(count) commits that were answered are"
        return
            "\(commits) missing; what was stored behind sequence \(firstMissingAfter) and up to \(lastSequence) is lost"
    }
}
