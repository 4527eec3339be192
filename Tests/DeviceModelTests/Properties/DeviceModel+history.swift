import DeviceModel
import Highlights
import WaypostSchema

extension DeviceModel {
    /// Creates a device and applies a whole history.
    init(after history: SharingHistory) {
        self.init()
        for entry in history.entries { take(entry) }
    }

    @discardableResult
    mutating func take(_ entry: JournalEntry) -> DeviceReaction {
        apply(entry.event, at: entry.at)
    }

    /// Applies an event at the current time.
    @discardableResult
    mutating func take(_ event: DeviceEvent) -> DeviceReaction {
        apply(event, at: sharing.clock)
    }

    /// Advances the time without another event.
    @discardableResult
    mutating func wait(until time: Timestamp) -> DeviceReaction {
        apply(.system(.timePassed), at: time)
    }

    /// The highlights of all apps with the reasons for their order.
    var shelves: [ShelfReport] {
        sharing.apps.compactMap { sharing.report(on: $0, limit: 100) }
    }

    /// The explanations of every link for every app.
    var explanations: [LinkExplanation] {
        sharing.apps.flatMap { app in SampleLink.all.map { sharing.explanation(of: $0[0].url, for: app) } }
    }
}

extension Timestamp {
    func later(by milliseconds: Int) -> Timestamp {
        Timestamp(milliseconds: rawValue + milliseconds)
    }
}
