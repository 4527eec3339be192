public import Testing

/// An error of the test library.
public enum WaypostError: Error, Equatable {
    /// A program is neither in the folder that `WAYPOST_BIN` names nor on the search path.
    case programMissing(String, folder: String?)

    /// A program ended before it was told to; with the end of its log.
    case ended(String, log: String)

    /// The running gateway at this URL cannot be used, for this reason.
    case gatewayFailed(String, reason: String)

    /// The test has no trait `.waypost`.
    case noTrait

    /// The agent has no such device, or several if none is named.
    case noDevice(String?, available: [String])

    /// The agent refused a step: it is not one.
    case refused(String, at: SourceLocation)

    /// A step could not be performed, for this reason; with the explanation.
    case failed(String, at: SourceLocation)
}

extension WaypostError: CustomStringConvertible {
    /// The problem, and what to do.
    public var description: String {
        switch self {
        case .programMissing(let name, let folder):
            """
            \(name) is not \(folder.map { "in WAYPOST_BIN (\($0)) or " } ?? "")on the PATH; install the package of Waypost, or \
            set WAYPOST_BIN to the folder of its programs
            """
        case .ended(let name, let log): "\(name) ended early:\n\(log)"
        case .gatewayFailed(let url, let reason): "the gateway \(url) cannot be used: \(reason)"
        case .noTrait: "this test has no devices; give it or its suite the trait .waypost(devices: [\"device.yaml\"])"
        case .noDevice(let name?, let names):
            "there is no device '\(name)'; the devices of this test: \(names.joined(separator: ", "))"
        case .noDevice(nil, let names): "name one of the devices of this test: \(names.joined(separator: ", "))"
        case .refused(let message, let place), .failed(let message, let place):
            "\(place.fileName):\(place.line):\(place.column): \(message)"
        }
    }
}
