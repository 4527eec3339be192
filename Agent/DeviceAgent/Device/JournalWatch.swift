internal import LocalService
internal import Logging
internal import ServiceLifecycle

/// A service that logs when the journal of a device cannot be written, and when it can be written again.
struct JournalWatch: Service {
    let device: DeviceStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var condition = JournalCondition()
            for await _ in device.journalChanges.watch() {
                guard let notice = condition.record(device.journalFailure) else { continue }
                log(notice)
            }
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

    private var isRefusing = false

    /// Records the reason why the last events could not be stored, if any; returns the notice to log, if any.
    mutating func record(_ failure: String?) -> Notice? {
        guard (failure != nil) != isRefusing else { return nil }
        isRefusing = failure != nil
        guard let failure else { return .acceptsEvents }
        return .refusesEvents(reason: failure)
    }
}
