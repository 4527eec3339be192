import WaypostSchema

/// The broadcast channels that exist, may exist, or were deleted.
struct ModeledChannels: Sendable {
    /// The channels whose creation was confirmed or seen, and whose deletion was not requested.
    fileprivate(set) var existingChannels: Set<ChannelID> = []

    /// The channels whose deletion has no answer.
    fileprivate(set) var uncertainChannels: Set<ChannelID> = []

    /// The channels whose deletion was confirmed or seen.
    fileprivate(set) var deletedChannels: Set<ChannelID> = []

    /// The number of requests to create a channel that have no answer.
    fileprivate(set) var unansweredCreations = 0

    /// Returns the result that a message to a channel may have.
    func expectation(of channel: ChannelID) -> CrashItem.Expectation {
        existingChannels.contains(channel) ? .acceptance : deletedChannels.contains(channel) ? .rejection : .either
    }
}

/// Rules about broadcast channels.
extension CrashModel {
    /// Records that a request to create a channel begins.
    mutating func beginChannel() {
        channels.unansweredCreations += 1
    }

    /// Records that a request to create a channel was answered.
    mutating func createChannel(_ channel: ChannelID) {
        countOperation()
        channels.unansweredCreations -= 1
        if !channels.existingChannels.insert(channel).inserted { report("two new channels are \(channel)") }
    }

    /// Records that a request to delete a channel begins.
    mutating func beginDeletion(of channel: ChannelID) {
        channels.existingChannels.remove(channel)
        channels.uncertainChannels.insert(channel)
    }

    /// Records that a request to delete a channel was answered.
    mutating func confirmDeletion(of channel: ChannelID) {
        countOperation()
        channels.uncertainChannels.remove(channel)
        channels.deletedChannels.insert(channel)
    }

    /// Records all channels of the app, while no request to create or delete one is under way.
    mutating func observeChannels(_ present: Set<ChannelID>) {
        countOperation()
        for channel in channels.existingChannels.subtracting(present) {
            report("channel \(channel) is gone, and nobody deleted it")
        }
        for channel in channels.deletedChannels.intersection(present) {
            report("channel \(channel) is there after its deletion")
        }
        let strangers = present.subtracting(channels.existingChannels).subtracting(channels.uncertainChannels)
            .subtracting(channels.deletedChannels)
        if strangers.count > channels.unansweredCreations {
            let possible = channels.unansweredCreations
            report("there are \(strangers.count) new channels, and \(possible) creations have no answer")
        }
        channels.deletedChannels.formUnion(channels.uncertainChannels.subtracting(present))
        channels.existingChannels = present.subtracting(channels.deletedChannels)
        channels.uncertainChannels = []
        channels.unansweredCreations = 0
    }
}
