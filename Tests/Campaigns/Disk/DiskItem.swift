import WaypostSchema
import WaypostTestSupport

/// A notification that a trial of the disk campaign sends.
struct DiskItem: Sendable {
    /// The unique name in its payload.
    let name: String

    /// The identifier that its sender assigned.
    let id: NotificationID

    /// The index of the agent that gets it.
    let agent: Int

    /// The number of bytes that fill its payload.
    let size: Int

    /// Creates a notification with a random identifier and size.
    init(_ name: String, to agent: Int, maximumSize: Int, using generator: inout SeededGenerator) {
        (self.name, self.agent) = (name, agent)
        let digits = (0..<32).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }.joined()
        let ends = [8, 12, 16, 20, 32]
        let parts = zip([0] + ends, ends).map { String(digits.dropFirst($0).prefix($1 - $0)) }
        id = NotificationID(rawValue: parts.joined(separator: "-"))
        size = .random(in: 0...maximumSize, using: &generator)
    }

    /// The payload as JSON.
    var payload: String {
        "{\"aps\":{},\(filledStart)\(filling)\"}"
    }

    /// The bytes of the payload before those that fill it.
    var filledStart: String {
        #""name":"\#(name)","more":""#
    }

    private var filling: String {
        String(repeating: "-", count: size)
    }

    /// Returns its line in a batch.
    func line(for token: DeviceToken) -> String {
        #"{"token":"\#(token)","topic":"\#(Self.topic)","id":"\#(id)","payload":\#(payload)}"# + "\n"
    }

    /// Returns whether a payload is the one that was sent.
    func matches(_ payload: JSONValue) -> Bool {
        payload["name"]?.string == name && payload["more"]?.string == filling
    }

    /// The topic of all notifications.
    static let topic: Topic = "com.example.clowntown"
}

extension DiskItem: CustomStringConvertible {
    /// The name and the identifier, for violations.
    var description: String {
        "item \(name) (\(id))"
    }
}

/// A device of the disk campaign, with an agent of its own.
struct DiskAgent: Sendable {
    let token: DeviceToken
    let secret: BearerSecret
}
