/// The sessions of devices that are being opened or ended, as a value.
///
/// Thousands may do so together, for example when a router restarts. They wait for their turns, and everyone else is
/// served meanwhile.
struct SessionBacklog: Sendable, Equatable {
    /// The maximum number of sessions of each kind that is not worth a notice: they take less than a second.
    static let maximumCountWithoutNotice = 100

    /// The number of devices whose streams are being opened, or wait for that.
    var openingCount: Int

    /// The number of streams that have closed and whose ends are not in the store.
    var endingCount: Int

    /// A description of the backlog; `nil` if it is ordinary.
    var notice: String? {
        let parts = [
            openingCount > Self.maximumCountWithoutNotice ? "\(openingCount) devices are connecting" : nil,
            endingCount > Self.maximumCountWithoutNotice
                ? "\(endingCount) streams have closed and are being ended" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + "; each waits for its turn"
    }
}

extension DeliveryService {
    /// The sessions that are being opened or ended.
    var sessionBacklog: SessionBacklog {
        SessionBacklog(openingCount: openings.count, endingCount: followUps.sessionCount)
    }
}
