import DeviceModel
import WaypostSchema

extension DeviceModel {
    /// Lets events happen, one after the other; returns what the device does about the last.
    @discardableResult
    mutating func go(
        through events: [DeviceEvent],
        at now: Timestamp = Timestamp(milliseconds: 100)
    ) -> [DeviceEffect] {
        var effects: [DeviceEffect] = []
        for event in events { effects = apply(event, at: now).effects }
        return effects
    }

    /// Lets events happen, one after the other; returns what the device does about the last.
    @discardableResult
    mutating func go(
        through events: DeviceEvent...,
        at now: Timestamp = Timestamp(milliseconds: 100)
    ) -> [DeviceEffect] {
        go(through: events, at: now)
    }
}

extension [DeviceEffect] {
    /// The scene that came to the front for something else than a notification, where that is the one effect.
    var openedScene: OpenedScene? {
        guard count == 1, case .sceneOpened(let opened) = self[0] else { return nil }
        return opened
    }

    /// What became of a URL, where that is the one effect.
    var openedURL: OpenedURL? {
        guard count == 1, case .urlOpened(let opened) = self[0] else { return nil }
        return opened
    }

    /// Why an event changed nothing, where that is the one effect.
    var refusal: IgnoredEvent? {
        guard count == 1, case .eventIgnored(let ignored) = self[0] else { return nil }
        return ignored
    }
}
