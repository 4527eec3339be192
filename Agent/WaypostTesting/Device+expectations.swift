public import Testing
public import WaypostSchema

/// Expectations of a device's state. Each waits until it holds, and records an issue with the explanation of the
/// decision if it does not within `limit`.
extension Device {
    /// The time for which an expectation waits.
    public static let waitingTime = Duration.seconds(5)

    /// Expects that an app's shelf has exactly these links, in order.
    ///
    /// - Parameters:
    ///   - links: the links.
    ///   - app: the app, or `nil` for the only one with Shared with You.
    ///   - limit: the maximum time to wait.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expect(
        shelf links: [String],
        of app: BundleIdentifier? = nil,
        within limit: Duration = waitingTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(
            ["shelf": .array(links.map(JSONValue.string))],
            app,
            limit: limit,
            sourceLocation: sourceLocation
        )
    }

    /// Expects the text of the attribution view of a link, or of the first link.
    ///
    /// - Parameters:
    ///   - text: the text, such as `Sarah and Enrique`.
    ///   - link: the link, or `nil` for the first one.
    ///   - app: the app, or `nil` for the only one with Shared with You.
    ///   - limit: the maximum time to wait.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expect(
        attribution text: String,
        of link: String? = nil,
        in app: BundleIdentifier? = nil,
        within limit: Duration = waitingTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let keys: [String: JSONValue?] = ["attribution": .string(text), "link": link.map(JSONValue.string)]
        try await expect(keys, app, limit: limit, sourceLocation: sourceLocation)
    }

    /// Expects that the offer of automatic sharing with an app is open, or is not.
    ///
    /// - Parameters:
    ///   - isOffered: whether it is open.
    ///   - app: the app, or `nil` for the only one with Shared with You.
    ///   - limit: the maximum time to wait.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expect(
        offered isOffered: Bool,
        with app: BundleIdentifier? = nil,
        within limit: Duration = waitingTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(["offered": .bool(isOffered)], app, limit: limit, sourceLocation: sourceLocation)
    }

    /// Expects a message with a text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - limit: the maximum time to wait.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expect(
        message text: String,
        within limit: Duration = waitingTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(["message": .string(text)], nil, limit: limit, sourceLocation: sourceLocation)
    }

    /// Expects the state of a notification that was sent to the device.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - state: the state in the gateway's log.
    ///   - limit: the maximum time to wait.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expect(
        notification title: String,
        _ state: DeliveryState,
        within limit: Duration = waitingTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let expected: JSONValue = .object(["title": .string(title), "state": .string(state.rawValue)])
        try await expect(["notification": expected], nil, limit: limit, sourceLocation: sourceLocation)
    }

    /// Expects that everything that the gateway accepted for the device arrived once and in order.
    ///
    /// - Parameter sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expectDeliveredOnce(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await expect(["delivered": .string("once")], nil, limit: Self.waitingTime, sourceLocation: sourceLocation)
    }

    /// Expects the scenes of an app that are in the foreground.
    ///
    /// - Parameters:
    ///   - scenes: all these scenes, in any order.
    ///   - app: the app, or `nil` for the only one on the device.
    ///   - limit: the maximum time to wait.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expect(
        visible scenes: Set<SceneIdentifier>,
        of app: BundleIdentifier? = nil,
        within limit: Duration = waitingTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let names = scenes.map(\.rawValue).sorted().map(JSONValue.string)
        try await expect(["visible": .array(names)], app, limit: limit, sourceLocation: sourceLocation)
    }

    /// Expects how often push receivers of an app were called since the app was installed, such as reloads of widgets.
    ///
    /// - Parameters:
    ///   - numbers: the numbers by receiver.
    ///   - app: the app, or `nil` for that of the newest notification.
    ///   - limit: the maximum time to wait.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expect(
        reloads numbers: [PushReceiver: Int],
        of app: BundleIdentifier? = nil,
        within limit: Duration = waitingTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let members = numbers.map { ($0.key.rawValue, JSONValue.integer($0.value)) }
        let keys: [String: JSONValue?] = ["reloads": .object(Dictionary(uniqueKeysWithValues: members))]
        try await expect(keys, app, limit: limit, sourceLocation: sourceLocation)
    }

    /// Expects the kinds of all tokens that an app has.
    ///
    /// - Parameters:
    ///   - kinds: the kinds, in any order; a kind is repeated if there are several tokens of it.
    ///   - app: the app, or `nil` for the only one with tokens of its own.
    ///   - limit: the maximum time to wait.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expect(
        tokens kinds: [TokenPurpose.Kind],
        of app: BundleIdentifier? = nil,
        within limit: Duration = waitingTime,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let names = kinds.map { JSONValue.string($0.rawValue) }
        try await expect(["tokens": .array(names)], app, limit: limit, sourceLocation: sourceLocation)
    }

    /// Expects which methods of an app the system calls for a cause that a device may not be able to produce.
    ///
    /// A call is a method as Apple spells it, with or without the argument that has the event, or a short name such as
    /// `scene.willConnect`. The description of the app says which methods it implements.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - cause: the cause.
    ///   - state: the state of the app and of its scene before the cause.
    ///   - system: the major version of iOS, or `nil` for the current one.
    ///   - deliveries: the calls with which the app receives the event, in order.
    ///   - calls: calls in this order, among others.
    ///   - absentCalls: calls that are not made.
    ///   - findings: the codes of the app's mistakes, in any order.
    ///   - minimumSource: the worst source from which a delivery may be known: `documented`, `observed`, `inferred` or
    ///     `ours`.
    ///   - sourceLocation: the place at which a failure is recorded.
    /// - Throws: `WaypostError.refused`, `WaypostError.ended`.
    public func expectCallbacks(
        of app: BundleIdentifier,
        for cause: EventCause,
        in state: InitialState,
        system: Int? = nil,
        deliveries: [String]? = nil,
        calls: [String]? = nil,
        notCalled absentCalls: [String]? = nil,
        findings: [String]? = nil,
        minimumSource: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var question: [String: JSONValue] = [
            "device": .string(name), "app": .string(app.rawValue), "cause": .string(cause.rawValue),
            "state": .string(state.rawValue),
        ]
        if let system { question["system"] = .integer(system) }
        let lists = ["deliveries": deliveries, "calls": calls, "notCalled": absentCalls, "findings": findings]
        var keys = lists.compactMapValues { list in list.map { JSONValue.array($0.map(JSONValue.string)) } }
        if let minimumSource { keys["minimumSource"] = .string(minimumSource) }
        var step: [String: JSONValue] = ["callbacks": .object(question)]
        if !keys.isEmpty { step["expect"] = .object(keys) }
        try await channel.answer(to: step, at: sourceLocation).record(at: sourceLocation)
    }

    /// Expects that a notification does not arrive until the end of the test.
    public func never(notification title: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await never(["notification": .string(title)], sourceLocation)
    }

    /// Expects that a link does not come onto an app's shelf until the end of the test.
    public func never(
        link: String,
        in app: BundleIdentifier? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await never(["link": .string(link), "app": app.map { .string($0.rawValue) }], sourceLocation)
    }

    private func never(_ keys: [String: JSONValue?], _ sourceLocation: SourceLocation) async throws {
        let never = JSONValue.object(keys.compactMapValues(\.self))
        _ = try await channel.perform(
            ["expect": .object(["never": never, "device": .string(name)])],
            at: sourceLocation
        )
    }

    private func expect(
        _ keys: [String: JSONValue?],
        _ app: BundleIdentifier?,
        limit: Duration,
        sourceLocation: SourceLocation
    ) async throws {
        var keys = keys.compactMapValues(\.self)
        keys["device"] = .string(name)
        keys["app"] = app.map { .string($0.rawValue) }
        keys["within"] = .string(limit.millisecondsText)
        try await channel.answer(to: ["expect": .object(keys)], at: sourceLocation).record(at: sourceLocation)
    }
}
