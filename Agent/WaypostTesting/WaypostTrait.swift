internal import Foundation
public import Testing
public import WaypostSchema

/// A trait that gives each test a gateway and devices of its own.
public struct WaypostTrait: TestTrait, SuiteTrait, TestScoping {
    let files: [String]

    /// The URL of a running gateway.
    var gateway: String?

    /// Whether the trait of a suite is one of each of its tests.
    public var isRecursive: Bool {
        true
    }

    /// Starts the processes, runs the test, and ends them.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await TestProcesses.run(devices: files, gateway: gateway) { processes in
            try await Waypost.$processes.withValue(processes) { try await function() }
            let answer = try await processes.channel.answer(to: ["finish": .bool(true)], at: test.sourceLocation)
            answer.record(at: test.sourceLocation)
        }
    }
}

extension Trait where Self == WaypostTrait {
    /// Returns a trait that gives each test devices of its own, with a gateway.
    ///
    /// A gateway and an agent start before each test and end after it, so tests may run at the same time. With the URL
    /// of a running gateway, only an agent starts, and each test has a namespace of its own in that gateway.
    ///
    /// - Parameters:
    ///   - devices: the device files; relative paths are those from the folder of the test's file.
    ///   - gateway: the URL of a gateway's service listener, such as `http://waypost:7330`. Default: the environment
    ///     variable `WAYPOST_GATEWAY`, or else a new gateway.
    ///   - file: the path of the test's file.
    /// - Returns: the trait.
    public static func waypost(devices: String..., gateway: String? = nil, file: String = #filePath) -> Self {
        let folder = URL(filePath: file).deletingLastPathComponent()
        return WaypostTrait(files: devices.map { URL(filePath: $0, relativeTo: folder).path }, gateway: gateway)
    }

    /// Returns a trait that gives each test devices of its own with other names than those in their files.
    ///
    /// - Parameters:
    ///   - devices: the device files by the names of the devices, such as `["Mine": "ipad.yaml", "Yours": "ipad.yaml"]`.
    ///   - gateway: the URL of a running gateway, as above.
    ///   - file: the path of the test's file.
    /// - Returns: the trait.
    public static func waypost(
        devices: KeyValuePairs<String, String>,
        gateway: String? = nil,
        file: String = #filePath
    ) -> Self {
        let folder = URL(filePath: file).deletingLastPathComponent()
        let files = devices.map { "\($0)=\(URL(filePath: $1, relativeTo: folder).path)" }
        return WaypostTrait(files: files, gateway: gateway)
    }
}

/// The devices and the gateway of a test with the trait `.waypost`.
public enum Waypost {
    @TaskLocal static var processes: TestProcesses?

    static var current: TestProcesses {
        get throws(WaypostError) {
            guard let processes else { throw .noTrait }
            return processes
        }
    }

    /// The URLs of the gateway, for a client that sends notifications over HTTP.
    ///
    /// - Throws: `WaypostError.noTrait`.
    public static var gateway: GatewayReadyFile {
        get throws(WaypostError) { try current.gateway }
    }

    /// Returns a new key with which a back end signs its provider tokens; the gateway knows it.
    ///
    /// A gateway that the tests start requires tokens if the environment variable `WAYPOST_GATEWAY_AUTHENTICATION` is `token`
    /// or `apns`.
    ///
    /// - Throws: `WaypostError` if the program `waypost` is missing, or the gateway refuses the key.
    public static func makeKey() async throws -> SigningKey {
        try await current.keys.make(at: try gateway)
    }

    /// Lets the gateway know a key of your own, whose private half stays here.
    ///
    /// - Throws: `WaypostError` if the program `waypost` is missing, the file has no key, or the gateway refuses it.
    public static func register(_ key: SigningKey) async throws {
        try await current.keys.register(key, at: try gateway)
    }

    /// Returns a device.
    ///
    /// - Parameter name: the name in its file, or `nil` for the only device.
    /// - Returns: the device.
    /// - Throws: `WaypostError.noDevice`, `WaypostError.noTrait`.
    public static func device(_ name: String? = nil) throws(WaypostError) -> Device {
        let devices = try current.devices
        let registration = name == nil && devices.count == 1 ? devices.first : devices.first { $0.name == name }
        guard let registration else { throw .noDevice(name, available: devices.map(\.name)) }
        return Device(name: registration.name, token: registration.token, channel: try current.channel)
    }

    /// Moves the clock of the gateway and of all devices.
    ///
    /// - Parameters:
    ///   - duration: the time, in whole milliseconds.
    ///   - sourceLocation: the place that an error names.
    /// - Throws: `WaypostError.failed`.
    public static func advance(
        by duration: Duration,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await perform(["advance": .string(duration.millisecondsText)], sourceLocation: sourceLocation)
    }

    /// Performs any step of a scenario.
    ///
    /// - Parameters:
    ///   - step: the step, such as `["network": ["device": "iPad", "state": "off"]]`.
    ///   - sourceLocation: the place that an error names.
    /// - Returns: the whole answer of the gateway's or the agent's API.
    /// - Throws: `WaypostError.failed`, `WaypostError.refused`.
    @discardableResult
    public static func perform(
        _ step: [String: JSONValue],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        try await current.channel.perform(step, at: sourceLocation).answer ?? .null
    }
}

extension Duration {
    /// The duration as scenarios write it.
    var millisecondsText: String {
        "\(components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)ms"
    }
}

extension StepChannel {
    /// Performs a step that a test needs in order to continue.
    ///
    /// - Throws: `WaypostError.failed` if it is not possible.
    func perform(_ step: [String: JSONValue], at location: SourceLocation) async throws -> Answer {
        let answer = try await answer(to: step, at: location)
        guard answer.outcome == .passed else { throw WaypostError.failed(answer.text, at: location) }
        return answer
    }
}

extension StepChannel.Answer {
    /// The problem, and the explanation.
    var text: String {
        [message, explanation].compactMap(\.self).joined(separator: "\n")
    }

    /// Records an issue if the step failed.
    func record(at location: SourceLocation) {
        guard outcome != .passed else { return }
        Issue.record(Comment(rawValue: text), sourceLocation: location)
    }
}
