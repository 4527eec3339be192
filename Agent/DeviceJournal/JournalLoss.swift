/// Safe events that a journal has lost, and a copy of the file if it contained anything else.
package struct JournalLoss: Sendable, Equatable {
    /// The path of the journal.
    package var path: String

    /// The number of events that are missing at the end of the journal; `nil` if it is unknown.
    package var missingEventCount: Int?

    /// The path of a copy of the damaged file; `nil` if all bytes of the file were events.
    package var copyPath: String?
}

extension JournalLoss: CustomStringConvertible {
    /// A description of the loss.
    package var description: String {
        let events =
            switch missingEventCount {
            case nil: "its end is not an event"
            case 1?: "its last event is missing"
            case let count?: "its last \(count) events are missing"
            }
        return "\(path): \(events)" + (copyPath.map { "; the file as it was found is now \($0)" } ?? "")
    }
}
