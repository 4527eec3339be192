/// A mistake that can be planted into the rules, to prove that the simulation finds it.
enum PlantedBug: String, CaseIterable, Sendable {
    /// An append draws its sequences before it locks its agents.
    case lockAfterTake

    /// An append reads the sessions in the statement that waits for the locks, so it may see older ones.
    case readWithLock

    /// A session is opened without the lock on its agent.
    case openWithoutLock

    /// Closing a session does not compare its epoch.
    case unfencedClose

    /// After a fail-over, sequences continue at once.
    case noJump

    /// An append nudges the gateway of a session without marking the session as late.
    case nudgeWithoutLateMark

    /// The rest of an ended gateway is settled by agent, without comparing epochs.
    case settleWithoutEpoch

    /// A page is read with two statements: the inbox, and then the transient notifications.
    case pageInTwoStatements

    /// A page that has lost transient notifications to another reader counts as the last one.
    case shortPageIsLast

    /// A stream sends its queue and its page without comparing expirations with the clock again.
    case expirationIsNotCheckedAgain

    /// A thorough look does not end the streams whose sessions are not current.
    case outdatedStreamStays

    /// A gateway does not end the sessions and transient notifications of its own that it does not have in memory.
    case leftoversStay

    /// After an unknown outcome of a commit, the next transaction does not look it up.
    case unresolvedCommitStays = "doubtStays"
}

/// The rules that the gateways follow: the correct ones, or with planted bugs.
struct Rules: Sendable {
    /// The planted bugs.
    var bugs: Set<PlantedBug> = []

    /// Returns whether a bug is planted.
    func has(_ bug: PlantedBug) -> Bool {
        bugs.contains(bug)
    }
}
