import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// A line of `Tests/Vectors/live-activities/content.jsonl`: content, the types of an app, and whether it decodes.
struct ContentVector: Decodable, Sendable, CustomTestStringConvertible {
    let `case`: String
    let source: String
    let type: LiveActivityType
    let attributes: JSONValue?
    let contentState: JSONValue
    let passes: Bool
    let explanation: String

    var testDescription: String {
        `case`
    }

    static func all() throws -> [Self] {
        try Repository.lines(of: Repository.vectors.appending(path: "live-activities/content.jsonl"))
            .map { try JSONDecoder().decode(Self.self, from: Data($0.utf8)) }
    }
}

/// The content of Live Activities decodes as Swift decodes it, if an app describes its types.
@Suite struct ContentDecodingTests {
    private static let match = LiveActivityType(
        attributes: ["home": .named(.name(.string))],
        contentState: ["goals": .named(.name(.int))]
    )

    private static func device(_ types: [String: LiveActivityType]?) throws -> NotificationDevice {
        var app = NotificationDevice.description()
        app.liveActivityTypes = types
        return try NotificationDevice(app: app)
    }

    /// Delivers a push with a timestamp some seconds after the time of the device.
    @discardableResult
    private static func push(
        _ id: NotificationID,
        _ event: String,
        at seconds: Int = 0,
        keys: String = "",
        to device: inout NotificationDevice
    ) throws -> LiveActivityDecision {
        let aps = #""event":"\#(event)","timestamp":\#(device.now.seconds + seconds)\#(keys)"#
        try device.deliver(id, aps, suffix: ".push-type.liveactivity", pushType: "liveactivity")
        return try #require(device.model.decision(on: id)?.liveActivity)
    }

    private static func start(_ type: String = "Match", goals: String = "0") -> String {
        #","attributes-type":"\#(type)","attributes":{"home":"AFC"},"content-state":{"goals":\#(goals)}"#
    }

    private static func state(goals: String) -> String {
        #","content-state":{"goals":\#(goals)}"#
    }

    private static func json(_ value: JSONValue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(arguments: try ContentVector.all())
    func contentDecodesAsInSwift(_ vector: ContentVector) throws {
        var device = try Self.device(["Match": vector.type])
        let attributes = try Self.json(vector.attributes ?? .object([:]))
        let contentState = try Self.json(vector.contentState)
        let keys = #","attributes-type":"Match","attributes":\#(attributes),"content-state":\#(contentState)"#
        let decision = try Self.push("start", "start", keys: keys, to: &device)
        let verdict = try #require(decision.gates.first { $0.gate == .decoding })
        #expect(verdict.explanation == vector.explanation)
        #expect(verdict.status == (vector.passes ? .pass : .fail))
        #expect(device.model.liveActivities.count == (vector.passes ? 1 : 0))
    }

    @Test(
        arguments: [
            ("Matsh", "'Matsh', so nothing appears; it has Match, Race; did you mean 'Match'?"),
            ("match", "'match', so nothing appears; it has Match, Race; did you mean 'Match'?"),
            ("Election", "'Election', so nothing appears; it has Match, Race"),
        ]
    )
    func misspelledTypeStartsNothing(_ name: String, _ end: String) throws {
        var device = try Self.device(["Race": LiveActivityType(), "Match": Self.match])
        let decision = try Self.push("start", "start", keys: Self.start(name), to: &device)
        #expect(decision.outcome == .ignored)
        #expect(decision.explanation == "the app has no Live Activities of the type \(end)")
        #expect(device.model.liveActivities.isEmpty)
    }

    @Test(arguments: ["update", "end"])
    func pushThatDoesNotDecodeChangesNothingAndBlocksNothing(_ event: String) throws {
        var device = try Self.device(["Match": Self.match])
        try Self.push("start", "start", keys: Self.start(), to: &device)
        let former = device.model.liveActivities
        let alert = #","alert":{"title":"Goal","body":"AFC"}"#
        let ignored = try Self.push("n", event, at: 20, keys: Self.state(goals: "1.5") + alert, to: &device)
        #expect((ignored.outcome, ignored.activity) == (.ignored, nil))
        #expect(NotificationDevice.failure(ignored.gates) == [.decoding])
        #expect(ignored.explanation == "content-state.goals is 1.5; the app expects Int, a whole number")
        #expect(device.model.decision(on: "n")?.presentation == .nowhere)
        #expect(device.model.liveActivities == former)
        // Its timestamp does not count, either.
        let update = try Self.push("u", "update", at: 10, keys: Self.state(goals: "2"), to: &device)
        #expect(update.outcome == .updated)
        #expect(device.model.liveActivities.map(\.contentState["goals"]) == [.integer(2)])
    }

    @Test func endWithoutContentDecodes() throws {
        var device = try Self.device(["Match": Self.match])
        try Self.push("start", "start", keys: Self.start(), to: &device)
        let end = try Self.push("e", "end", at: 10, to: &device)
        #expect(end.outcome == .ended)
    }

    @Test func attributesOfAnUpdateDoNotMatter() throws {
        var device = try Self.device(["Match": Self.match])
        try Self.push("start", "start", keys: Self.start(), to: &device)
        let keys = #","attributes-type":"Race","attributes":{}"# + Self.state(goals: "1")
        let update = try Self.push("u", "update", at: 10, keys: keys, to: &device)
        #expect(update.outcome == .updated)
    }

    @Test(arguments: [nil, ["Match": LiveActivityType()]] as [[String: LiveActivityType]?])
    func anythingDecodesWithoutDescribedFields(_ types: [String: LiveActivityType]?) throws {
        var device = try Self.device(types)
        let decision = try Self.push("start", "start", keys: Self.start(goals: "1.5"), to: &device)
        #expect(decision.outcome == .started)
        #expect(decision.gates.contains { $0.gate == .decoding } == (types != nil))
    }

    @Test func laterGateIsNotReachedAfterAFailure() throws {
        var device = try Self.device(["Match": Self.match])
        let decision = try Self.push("u", "update", keys: Self.state(goals: "1.5"), to: &device)
        #expect(NotificationDevice.failure(decision.gates) == [.activity])
        #expect(decision.gates.last?.gate == .decoding)
        #expect(decision.gates.last?.status == .notReached)
    }

    @Test func notesAreFew() throws {
        let type = LiveActivityType(contentState: ["laps": .named(.array(.name(.date)))])
        var device = try Self.device(["Match": type])
        let laps = Array(repeating: "1790000000", count: 50).joined(separator: ",")
        let keys = #","attributes-type":"Match","attributes":{},"content-state":{"laps":[\#(laps)]}"#
        let decision = try Self.push("start", "start", keys: keys, to: &device)
        let explanation = try #require(decision.gates.last?.explanation)
        #expect(explanation.split(separator: "since 1970").count == 5)
    }
}
