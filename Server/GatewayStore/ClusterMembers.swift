package import WaypostSchema

/// The gateways on a store, in the order in which they came.
package struct ClusterMembers: Sendable, Equatable {
    /// A gateway on the store.
    package struct Member: Sendable, Equatable {
        /// Its number, never used again.
        package var number: Int

        /// The URL of its courier, as it has announced it.
        package var address: String?

        /// When it came.
        package var joinedAt: Timestamp

        /// Whether it is the gateway of this handle.
        package var isSelf: Bool

        /// Creates the value from its parts.
        package init(number: Int, address: String?, joinedAt: Timestamp, isSelf: Bool) {
            self.number = number
            self.address = address
            self.joinedAt = joinedAt
            self.isSelf = isSelf
        }
    }

    /// The members, in the order of their numbers.
    package var members: [Member]

    /// The time on the clock of the store's server; `nil` if it has none of its own.
    package var time: Timestamp?

    /// Creates the value from the members and the time.
    package init(_ members: [Member] = [], at time: Timestamp? = nil) {
        self.members = members.sorted { $0.number < $1.number }
        self.time = time
    }

    /// The gateway that leads: it does the work that one does for all, such as removing what has expired.
    ///
    /// Gateways may disagree for a moment, so this work must be harmless if it is done twice.
    package var leader: Member? {
        members.first
    }

    /// Whether this handle's gateway leads.
    package var isSelfLeader: Bool {
        leader?.isSelf ?? true
    }
}

/// Finds the gateways that have ended: those whose count of beats stays the same for several checks.
///
/// It counts checks and compares no times. So a gateway that was stopped for a while does not take all others for
/// dead when it continues, and the clocks of machines do not matter.
package struct MemberWatch: Sendable {
    /// The number of checks without a new beat after which a gateway has ended.
    package static let maximumStaleChecks = 5

    private var lastBeats: [Int: (beatCount: Int, staleCheckCount: Int)] = [:]

    /// Creates a watch without any beats.
    package init() {}

    /// Records the beats of all other gateways, by number, and returns those of the gateways that have ended.
    package mutating func endedMembers(afterRecording beats: [Int: Int]) -> [Int: Int] {
        lastBeats = beats.reduce(into: [:]) { next, member in
            let previous = lastBeats[member.key]
            next[member.key] = (
                member.value, previous?.beatCount == member.value ? (previous?.staleCheckCount ?? 0) + 1 : 0
            )
        }
        return beats.filter { (lastBeats[$0.key]?.staleCheckCount ?? 0) >= Self.maximumStaleChecks }
    }
}
