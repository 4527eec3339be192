internal import Foundation
internal import JSONScanning
public import Testing
public import WaypostSchema

/// A device of a test.
///
/// If an action is not possible, it throws `WaypostError.failed` with the place of the call.
public struct Device: Sendable {
    /// The name of the device.
    public let name: String

    /// The token when the test began, to which a client of the provider API sends.
    public let token: DeviceToken

    let channel: StepChannel

    /// Sends a notification to the device, and waits until the device has acknowledged it, if it is connected.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - topic: the bundle identifier of the app.
    ///   - targetContentIdentifier: the content that the notification is about.
    ///   - options: further keys of the step `send`, such as `["collapse-id": "news", "expires-in": "1h"]`.
    ///   - sourceLocation: the place that an error names.
    /// - Returns: the receipt of the gateway.
    /// - Throws: `WaypostError.failed`, with the reason of a refusal.
    @discardableResult
    public func send(
        _ title: String,
        topic: Topic,
        targetContentIdentifier: String? = nil,
        options: [String: JSONValue] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> BatchReceipt {
        var keys = options
        keys["to"] = .string(name)
        keys["title"] = .string(title)
        keys["topic"] = .string(topic.rawValue)
        keys["target-content-id"] = targetContentIdentifier.map(JSONValue.string)
        return try await channel.perform(["send": .object(keys)], at: sourceLocation).value()
    }

    /// Opens a notification by its title or its identifier; waits for it if it is not there yet.
    ///
    /// - Parameters:
    ///   - notification: the title, or the identifier.
    ///   - action: the identifier of an action of its category; `nil` if the user taps the notification.
    ///   - text: the text that the user enters for the action.
    ///   - sourceLocation: the place that an error names.
    /// - Returns: the scene that opened; none if the action opens none.
    /// - Throws: `WaypostError.failed`.
    public func open(
        _ notification: String,
        action: String? = nil,
        text: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Opened {
        let choice = ["action": action.map(JSONValue.string), "text": text.map(JSONValue.string)]
        return try await open(
            ["notification": .string(notification)].merging(choice) { first, _ in first },
            sourceLocation
        )
    }

    /// Opens a URL, as if the user followed a link, in an app, on a page in the browser, or elsewhere.
    public func open(
        url: String,
        from app: BundleIdentifier? = nil,
        page: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Opened {
        let place = ["from": app.map { JSONValue.string($0.rawValue) }, "page": page.map(JSONValue.string)]
        return try await open(["url": .string(url)].merging(place) { first, _ in first }, sourceLocation)
    }

    /// Opens an app by its icon, or performs one of its quick actions.
    public func open(
        app: BundleIdentifier,
        shortcutItem: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Opened {
        try await open(["app": .string(app.rawValue), "shortcut": shortcutItem.map(JSONValue.string)], sourceLocation)
    }

    /// Continues an activity of another device by its title or its type.
    ///
    /// - Parameters:
    ///   - activity: the title or the type.
    ///   - error: the reason for which the data of the activity does not arrive; `nil` if it arrives.
    ///   - sourceLocation: the place that an error names.
    /// - Returns: the scene that opened, and why.
    /// - Throws: `WaypostError.failed`.
    public func open(
        activity: String,
        error: HandoffError? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Opened {
        let error = error.map { JSONValue.string($0.rawValue) }
        return try await open(["activity": .string(activity), "error": error], sourceLocation)
    }

    private func open(_ keys: [String: JSONValue?], _ sourceLocation: SourceLocation) async throws -> Opened {
        Opened(try await perform("open", keys, at: sourceLocation))
    }

    /// Runs a process of an app, which an app file describes; it takes the activations of its scenes.
    ///
    /// - Parameters:
    ///   - appFile: the app file; a relative path is that from the folder of the test's file.
    ///   - file: the path of the test's file.
    ///   - sourceLocation: the place that an error names.
    /// - Throws: `WaypostError.failed`.
    public func attach(
        _ appFile: String,
        file: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let path = URL(filePath: appFile, relativeTo: URL(filePath: file).deletingLastPathComponent()).path
        try await perform("app", ["attach": .string(path)], at: sourceLocation)
    }

    /// Offers the activity of an app's scene on another device.
    public func handOff(
        _ app: BundleIdentifier,
        scene: SceneIdentifier? = nil,
        to device: Device,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await perform(
            "handoff",
            [
                "app": .string(app.rawValue), "scene": scene.map { .string($0.rawValue) }, "to": .string(device.name),
            ],
            at: sourceLocation
        )
    }

    /// Applies any event, and returns the device's reaction.
    ///
    /// - Throws: `WaypostError.failed` if the event changes nothing.
    @discardableResult
    public func apply(
        _ event: DeviceEvent,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> DeviceReaction {
        guard
            case .object(let members) = try DocumentDecoder.decode(
                JSONValue.self,
                fromDeepJSON: JSONEncoder().encode(event)
            )
        else { throw WaypostError.failed("the event has no JSON object", at: sourceLocation) }
        return try await perform("event", members, at: sourceLocation).value()
    }

    /// Applies a message that arrives from a handle or a contact, or one of the user if there is no sender.
    public func receive(
        _ text: String,
        from sender: String?,
        in conversation: ConversationID? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await perform(
            "message",
            [
                "text": .string(text), "from": sender.map(JSONValue.string),
                "conversation": conversation.map { .string($0.rawValue) },
            ],
            at: sourceLocation
        )
    }

    /// Adds or changes a contact.
    public func add(_ contact: Contact, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await apply(.sharing(.contactChanged(contact)), sourceLocation: sourceLocation)
    }

    /// Pins a link, or the latest message if there is none.
    public func pin(_ link: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("pin", ["link": link.map(JSONValue.string)], at: sourceLocation)
    }

    /// Turns sharing on or off: with an app, from a conversation, or everywhere.
    public func setSharing(
        _ isOn: Bool,
        with app: BundleIdentifier? = nil,
        from conversation: ConversationID? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await perform(
            "consent",
            [
                "sharing": .string(isOn ? "on" : "off"), "app": app.map { .string($0.rawValue) },
                "conversation": conversation.map { .string($0.rawValue) },
            ],
            at: sourceLocation
        )
    }

    /// Taps the attribution view of a link.
    ///
    /// - Returns: the title of the conversation that is shown, or the titles of a disambiguation menu.
    @discardableResult
    public func tap(
        _ link: String,
        in app: BundleIdentifier? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Tapped {
        let keys: [String: JSONValue?] = ["link": .string(link), "app": app.map { .string($0.rawValue) }]
        return Tapped(try await perform("tap", keys, at: sourceLocation))
    }

    /// Chooses a conversation in the disambiguation menu.
    @discardableResult
    public func choose(
        _ conversation: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Tapped {
        Tapped(try await perform("tap", ["choose": .string(conversation)], at: sourceLocation))
    }

    /// Replies in the conversation that is shown over the app.
    public func reply(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("reply", ["text": .string(text)], at: sourceLocation)
    }

    /// Turns Airplane Mode off (`isOn`: true) or on.
    public func setNetwork(_ isOn: Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("network", ["state": .string(isOn ? "on" : "off")], at: sourceLocation)
    }

    /// Turns Low Power Mode on or off.
    public func setLowPowerMode(_ isOn: Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("power", ["mode": .string(isOn ? "low" : "normal")], at: sourceLocation)
    }

    /// Changes the standing of the device's token, which decides the answer to senders.
    public func setStanding(_ standing: TokenStanding, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("standing", ["state": .string(standing.rawValue)], at: sourceLocation)
    }

    /// Takes a snapshot of the device.
    public func takeSnapshot(_ snapshot: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("snapshot", ["name": .string(snapshot)], at: sourceLocation)
    }

    /// Resets the device to a snapshot, or to its description.
    public func reset(to snapshot: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await perform("reset", ["to": snapshot.map(JSONValue.string)], at: sourceLocation)
    }

    /// Returns the notifications on the device, in the order of their arrival.
    public func notifications(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [DeviceNotification] {
        try await get("notifications", sourceLocation: sourceLocation)
    }

    /// Returns the highlights of an app, with the reasons for their order.
    public func shelf(
        of app: BundleIdentifier,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ShelfReport {
        try await get("apps/\(app.rawValue)/shelf", sourceLocation: sourceLocation)
    }

    /// Returns a value of the agent's control API.
    ///
    /// - Parameters:
    ///   - path: the path below that of the device, such as `messages`.
    ///   - type: the type of the value.
    ///   - sourceLocation: the place that an error names.
    /// - Returns: the value.
    /// - Throws: `WaypostError.failed` if the agent refuses the call.
    public func get<Value: Decodable>(
        _ path: String,
        as type: Value.Type = Value.self,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Value {
        let call: JSONValue = .object(["at": .string(name), "path": .string(path)])
        return try await channel.perform(["call": call], at: sourceLocation).value()
    }

    /// Performs an action of the device.
    @discardableResult
    func perform(
        _ action: String,
        _ keys: [String: JSONValue?],
        at sourceLocation: SourceLocation
    ) async throws -> StepChannel.Answer {
        var keys = keys.compactMapValues(\.self)
        keys["device"] = .string(name)
        return try await channel.perform([action: .object(keys)], at: sourceLocation)
    }
}

extension StepChannel.Answer {
    /// Returns the answer of the API as a value of the schema.
    func value<Value: Decodable>() throws -> Value {
        try DocumentDecoder.decode(Value.self, fromDeepJSON: JSONEncoder().encode(answer ?? .null))
    }
}
