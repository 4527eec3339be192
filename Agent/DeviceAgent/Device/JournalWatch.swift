internal import LocalService
internal import Logging
internal import ServiceLifecycle

/// A service that logs when the journal of a device cannot be written, and when it can be written again.
struct JournalWatch: Service {
    let device: DeviceStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await notice in device.journalNotices { log(notice) }
        }
    }

    private func log(_ notice: JournalCondition.Notice) {
        switch notice {
        case .refusesEvents(let reason):
            logger.error(
                "the journal cannot be written, and events are refused; free some space",
                metadata: ["device": "\(device.name)", "reason": "\(reason)"]
            )
        case .acceptsEvents:
            logger.notice("the journal can be written again", metadata: ["device": "\(device.name)"])
        }
    }
}

/// The condition of a journal, as a value: one notice when it begins to refuse events, and one when it accepts them.
struct JournalCondition: Sendable {
    /// A notice for the log.
    enum Notice: Sendable, Equatable {
        case refusesEvents(reason: String)
        case acceptsEvents
    }

    /// The reason why the last events could not be stored, if they could not.
    private(set) var failure: String?

    /// Records the reason why events could not be stored, or `nil`; returns the notice to log, if any.
    mutating func record(_ failure: String?) -> Notice? {
        defer { self.failure = failure }
        switch (self.failure, failure) {
        case (nil, let reason?): return .refusesEvents(reason: reason)
        case (.some, nil): return .acceptsEvents
        default: return nil
        }
    }
}
