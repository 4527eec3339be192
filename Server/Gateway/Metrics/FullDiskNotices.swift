internal import Logging

/// The notices about a full disk, as a value: one when it becomes full, and one when it has room again.
///
/// If the two alternate, as when only large batches do not fit, there is at most one of each in a minute.
struct FullDiskNotices: Sendable {
    /// A notice for the log.
    enum Notice: Sendable, Equatable {
        case full
        case roomAgain
    }

    private static let minimumInterval = Duration.seconds(60)

    private var isReportedAsFull = false
    private var lastFullTime: ContinuousClock.Instant?

    /// Records whether the disk is full, and returns the notice to log, if any.
    mutating func record(isFull: Bool, at now: ContinuousClock.Instant) -> Notice? {
        guard isFull != isReportedAsFull else { return nil }
        if isFull {
            if let lastFullTime, lastFullTime.duration(to: now) < Self.minimumInterval { return nil }
            lastFullTime = now
        }
        isReportedAsFull = isFull
        return isFull ? .full : .roomAgain
    }
}

extension Logger {
    /// Logs a notice about the disk of a store, with its folder.
    func record(_ diskNotice: FullDiskNotices.Notice, about store: StoreChoice) {
        let metadata: Metadata = ["store": "\(store.folder ?? store.name)"]
        switch diskNotice {
        case .full:
            error("the store's disk is full, and new notifications are refused; free some space", metadata: metadata)
        case .roomAgain:
            notice("the store's disk has room again; new notifications are accepted", metadata: metadata)
        }
    }
}
