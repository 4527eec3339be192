internal import ArgumentParser
internal import DeviceModel
internal import Foundation
internal import SchemaFiles
internal import TextBasics
internal import WaypostSchema

/// A command-line argument that accepts one of a fixed set of names.
struct NameArgument<Value: RawRepresentable<String> & CaseIterable & Sendable>: ExpressibleByArgument, Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    init?(argument: String) {
        guard let value = Value(rawValue: argument) else { return nil }
        self.value = value
    }

    var defaultValueDescription: String { value.rawValue }

    static var allValueStrings: [String] { Value.allCases.map(\.rawValue) }
}

extension StringEnum {
    /// The names, for the help of an option.
    static var argumentNames: String {
        allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// Parses a name.
    ///
    /// - Throws: `ValidationError` that suggests a name, or lists the accepted ones.
    init(argument: String) throws {
        guard let value = Self(rawValue: argument) else {
            let suggestion = argument.nearest(among: Self.allCases.map(\.rawValue)).map { "did you mean '\($0)'?" }
            throw ValidationError(suggestion ?? "use one of \(Self.argumentNames)")
        }
        self = value
    }
}

/// A duration on the command line: a number of seconds, or a duration with units such as `90s` or `1h30m`.
struct DurationArgument: Equatable, Sendable {
    /// The duration.
    let milliseconds: Int

    /// The duration in seconds, rounded up.
    var seconds: Int {
        (milliseconds + 999) / 1_000
    }

    /// Creates a duration of whole seconds.
    init(seconds: Int) {
        milliseconds = seconds * 1_000
    }

    /// Parses a duration.
    ///
    /// - Throws: `ValidationError` with the accepted forms, if the argument is not a duration.
    init(_ argument: String) throws {
        let text = argument.allSatisfy(\.isNumber) ? argument + "s" : argument
        guard let milliseconds = DurationText.milliseconds(in: text) else {
            throw ValidationError("'\(argument)' is not a duration\(DurationText.problem(of: text) ?? "")")
        }
        self.milliseconds = milliseconds
    }
}

/// A duration in an option that requires a unit, such as `10s`.
enum DurationOption {
    /// Parses a duration, and returns its milliseconds.
    ///
    /// - Throws: `ValidationError` if the argument is not a duration with units.
    static func milliseconds(_ argument: String) throws -> Int {
        if let problem = DurationText.problem(of: argument) { throw ValidationError("'\(argument)'\(problem)") }
        return DurationText.milliseconds(in: argument) ?? 0
    }
}

extension Timestamp {
    /// Parses a time: milliseconds since 1970, or an ISO 8601 time such as `2022-06-07T09:41:00Z`.
    ///
    /// - Throws: `ValidationError` with the accepted forms, if the argument is not a time.
    init(argument: String) throws {
        let milliseconds = Int(argument) ?? Self.milliseconds(ofDate: argument)
        guard let milliseconds, (0...DeviceModel.latestTime.rawValue).contains(milliseconds) else {
            throw ValidationError(
                "'\(argument)' is not a time; use milliseconds since 1970, up to the year 9999, or a time such as "
                    + "2022-06-07T09:41:00Z"
            )
        }
        self.init(milliseconds: milliseconds)
    }

    private static func milliseconds(ofDate string: String) -> Int? {
        (try? Date(string, strategy: .iso8601)).map { Int(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }
}

extension TraceID {
    /// Parses a trace identifier, or a `traceparent`.
    ///
    /// - Throws: `ValidationError` with the accepted forms, if the argument is neither.
    init(argument: String) throws {
        guard let trace = TraceID(parsing: argument) else {
            throw ValidationError("'\(argument)' is not a trace; use its 32 hexadecimal digits, or a traceparent")
        }
        self = trace
    }
}

extension TraceParent {
    /// The name of the environment variable with the trace parent of the process that runs a command.
    ///
    /// It is that of OpenTelemetry ("Environment Variables as Context Propagation Carriers").
    static let environmentVariable = "TRACEPARENT"

    /// The value of the environment variable; `nil` if it is missing or not valid.
    static var inEnvironment: Self? {
        ProcessInfo.processInfo.environment[environmentVariable].flatMap(Self.init(header:))
    }

    /// Parses a `traceparent`.
    ///
    /// - Throws: `ValidationError` with the accepted form, if the argument is not one.
    init(argument: String) throws {
        guard let parent = TraceParent(header: argument) else {
            throw ValidationError(
                "'\(argument)' is not a traceparent such as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            )
        }
        self = parent
    }
}
