import DeviceModel
import WaypostSchema

extension DeviceModel {
    /// Applies events in sequence and returns the effects of the last one.
    @discardableResult
    mutating func go(
        through events: [DeviceEvent],
        at now: Timestamp = Timestamp(milliseconds: 100)
    ) -> [DeviceEffect] {
        var effects: [DeviceEffect] = []
        for event in events { effects = apply(event, at: now).effects }
        return effects
    }

    /// Applies events in sequence and returns the effects of the last one.
    @discardableResult
    mutating func go(
        through events: DeviceEvent...,
        at now: Timestamp = Timestamp(milliseconds: 100)
    ) -> [DeviceEffect] {
        go(through: events, at: now)
    }
}

extension [DeviceEffect] {
    /// The scene that opened without a notification, or `nil` unless its opening is the only effect.
    var openedScene: OpenedScene? {
        guard count == 1, case .scene(.sceneOpened(let opened)) = self[0] else { return nil }
        return opened
    }

    /// The result of opening a URL, or `nil` unless it is the only effect.
    var openedURL: OpenedURL? {
        guard count == 1, case .scene(.urlOpened(let opened)) = self[0] else { return nil }
        return opened
    }

    /// The reason why an event changed nothing, or `nil` unless it is the only effect.
    var refusal: IgnoredEvent? {
        guard count == 1, case .system(.eventIgnored(let ignored)) = self[0] else { return nil }
        return ignored
    }
}
