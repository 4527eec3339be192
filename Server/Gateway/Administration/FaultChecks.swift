internal import WaypostSchema

/// The checks of faults that callers inject into requests or connections.
enum FaultChecks {
    /// A field of a fault: its name, whether the fault has it, and the kinds of faults that it applies to.
    typealias Field<Kind> = (name: String, isPresent: Bool, kinds: [Kind])

    /// Checks that no field belongs to another kind of fault.
    static func check<Kind: Equatable & Sendable>(_ fields: [Field<Kind>], for kind: Kind) throws(GatewayError) {
        for (name, isPresent, kinds) in fields where isPresent && !kinds.contains(kind) {
            let names = kinds.map { "'\($0)'" }.joined(separator: " and ")
            throw .badParameter(name: name, "it does not apply to '\(kind)'; it applies to \(names)")
        }
    }

    /// Checks that a reason looks like one of APNs.
    static func check(_ reason: RejectionReason?) throws(GatewayError) {
        guard let reason = reason?.rawValue else { return }
        guard reason.isASCIIWord, (1...64).contains(reason.utf8.count) else {
            throw .badParameter(name: "reason", "it must be 1 to 64 letters and digits, like the reasons of APNs")
        }
    }

    /// Checks that an injected answer has a reason or a status.
    static func checkAnswer(reason: RejectionReason?, status: Int?) throws(GatewayError) {
        guard reason == nil, status == nil else { return }
        throw .badParameter(
            name: "reason",
            """
            'respond' requires a reason, such as TooManyRequests, or a status, such as 503, for an answer without a body
            """
        )
    }

    /// Checks that a number is within a range.
    static func check(_ number: Int?, named name: String, in range: ClosedRange<Int>) throws(GatewayError) {
        guard let number, !range.contains(number) else { return }
        throw .badParameter(name: name, "\(number) is not accepted; use \(range.lowerBound) to \(range.upperBound)")
    }
}

extension ConnectionFault {
    /// Checks the numbers of the fault, and that each member belongs to its kind.
    func check() throws(GatewayError) {
        try FaultChecks.check(status, named: "status", in: 400...599)
        try FaultChecks.check(frames, named: "frames", in: 1...2)
        try FaultChecks.check(streams, named: "streams", in: 1...1_000_000)
        let fields: [FaultChecks.Field<Kind>] = [
            ("reason", reason != nil, [.respond, .goAway]),
            ("status", status != nil, [.respond]),
            ("frames", frames != nil, [.goAway]),
            ("keepsOpen", keepsOpen != nil, [.goAway]),
            ("streams", streams != nil, [.limitStreams]),
        ]
        try FaultChecks.check(fields, for: kind)
        try FaultChecks.check(reason)
        if kind == .respond { try FaultChecks.checkAnswer(reason: reason, status: status) }
    }
}
