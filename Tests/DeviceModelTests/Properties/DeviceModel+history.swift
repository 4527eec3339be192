import DeviceModel
import Highlights
import WaypostSchema

extension DeviceModel {
    /// A device after all of a history.
    init(after history: SharingHistory) {
        self.init()
        for entry in history.entries { take(entry) }
    }

    @discardableResult
    mutating func take(_ entry: JournalEntry) -> DeviceReaction {
        apply(entry.event, at: entry.at)
    }

    /// Lets something happen now.
    @discardableResult
    mutating func take(_ event: DeviceEvent) -> DeviceReaction {
        apply(event, at: sharing.clock)
    }

    /// Lets only time pass.
    @discardableResult
    mutating func wait(until time: Timestamp) -> DeviceReaction {
        apply(.timePassed, at: time)
    }

    /// All lists with the reasons of their order.
    var shelves: [ShelfReport] {
        sharing.apps.compactMap { sharing.report(on: $0, limit: 100) }
    }

    /// Why each app has each link or not.
    var explanations: [LinkExplanation] {
        sharing.apps.flatMap { app in SampleLink.all.map { sharing.explanation(of: $0[0].url, for: app) } }
    }
}

extension Timestamp {
    func later(by milliseconds: Int) -> Timestamp {
        Timestamp(milliseconds: rawValue + milliseconds)
    }
}
