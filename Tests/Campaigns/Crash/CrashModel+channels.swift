import WaypostSchema

/// The broadcast channels that exist, may exist, or were deleted.
struct ModeledChannels: Sendable {
    /// The channels whose creation was confirmed or seen, and whose deletion was not requested.
    fileprivate(set) var existing: Set<ChannelID> = []

    /// The channels whose deletion has no answer.
    fileprivate(set) var uncertain: Set<ChannelID> = []

    /// The channels whose deletion was confirmed or seen.
    fileprivate(set) var deleted: Set<ChannelID> = []

    /// The number of requests to create a channel that have no answer.
    fileprivate(set) var unanswered = 0

    /// Returns the result that a message to a channel may have.
    func expectation(of channel: ChannelID) -> CrashItem.Expectation {
        existing.contains(channel) ? .acceptance : deleted.contains(channel) ? .rejection : .either
    }
}

/// Rules about broadcast channels.
extension CrashModel {
    /// Records that a request to create a channel begins.
    mutating func beginChannel() {
        channels.unanswered += 1
    }

    /// Records that a request to create a channel was answered.
    mutating func createChannel(_ channel: ChannelID) {
        countOperation()
        channels.unanswered -= 1
        if !channels.existing.insert(channel).inserted { report("two new channels are \(channel)") }
    }

    /// Records that a request to delete a channel begins.
    mutating func beginDeletion(of channel: ChannelID) {
        channels.existing.remove(channel)
        channels.uncertain.insert(channel)
    }

    /// Records that a request to delete a channel was answered.
    mutating func confirmDeletion(of channel: ChannelID) {
        countOperation()
        channels.uncertain.remove(channel)
        channels.deleted.insert(channel)
    }

    /// Records all channels of the app, while no request to create or delete one is under way.
    mutating func observeChannels(_ present: Set<ChannelID>) {
        countOperation()
        for channel in channels.existing.subtracting(present) {
            report("channel \(channel) is gone, and nobody deleted it")
        }
        for channel in channels.deleted.intersection(present) {
            report("channel \(channel) is there after its deletion")
        }
        let strangers = present.subtracting(channels.existing).subtracting(channels.uncertain)
            .subtracting(channels.deleted)
        if strangers.count > channels.unanswered {
            report("there are \(strangers.count) new channels, and \(channels.unanswered) requests without an answer")
        }
        channels.deleted.formUnion(channels.uncertain.subtracting(present))
        channels.existing = present.subtracting(channels.deleted)
        channels.uncertain = []
        channels.unanswered = 0
    }
}
