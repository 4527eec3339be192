internal import Logging
internal import Synchronization
internal import WaypostSchema

/// The faults that were asked for: failures that are injected into what providers send.
final class FaultInjector: Sendable {
    /// The most sends that a fault waits for.
    private static let mostTimes = 1_000_000

    /// The most milliseconds that an answer is late.
    private static let longestDelay = 600_000

    private let script = Mutex(FaultScript())
    private let metrics: GatewayMetrics
    private let sources: GatewaySources
    private let logger: Logger

    init(metrics: GatewayMetrics, sources: GatewaySources, logger: Logger) {
        self.metrics = metrics
        self.sources = sources
        self.logger = logger
    }

    /// Injects a fault into the next requests for a device.
    ///
    /// - Throws: `GatewayError` where the fault cannot be made.
    func add(_ fault: SendFault, in namespace: Namespace) throws(GatewayError) -> ScriptedFault {
        var fault = fault
        fault.token = try DeviceToken(checking: fault.token)
        try Self.check(fault)
        let id = FaultID(rawValue: sources.makeUUID())
        guard let scripted = script.withLock({ $0.add(fault, as: id, in: namespace) }) else {
            throw .badParameter(
                name: "faults",
                "\(FaultScript.capacity) wait in this namespace already; DELETE /v1/faults removes them"
            )
        }
        return scripted
    }

    /// Returns the faults of a namespace that wait for sends, in the order in which they came.
    func list(in namespace: Namespace) -> [ScriptedFault] {
        script.withLock { $0.faults(in: namespace) }
    }

    /// Removes a fault.
    ///
    /// - Throws: `GatewayError.unknownFault` where none waits that has the identifier.
    func remove(_ id: FaultID, in namespace: Namespace) throws(GatewayError) {
        guard script.withLock({ $0.remove(id, in: namespace) }) else { throw .unknownFault(id) }
    }

    /// Removes the faults of a namespace.
    func removeAll(in namespace: Namespace) {
        script.withLock { $0.removeAll(in: namespace) }
    }

    /// Returns what goes wrong with a request of a provider, if anything.
    func take(for request: ProviderRequest) -> ScriptedFault? {
        guard let text = request.tokenText, let token = DeviceToken(hexadecimal: String(text)) else { return nil }
        guard let scripted = script.withLock({ $0.take(for: token) }) else { return nil }
        metrics.note(scripted.fault)
        logger.info(
            "a send takes a fault that was asked for",
            metadata: ["fault": "\(scripted.id)", "kind": "\(scripted.fault.kind)", "token": "\(token)"]
        )
        return scripted
    }

    private static func check(_ fault: SendFault) throws(GatewayError) {
        try check(fault.times, named: "times", in: 1...mostTimes)
        try check(fault.status, named: "status", in: 400...599)
        try check(fault.milliseconds, named: "milliseconds", in: 1...longestDelay)
        try check(fault.frames, named: "frames", in: 1...2)
        try check(fault.streams, named: "streams", in: 1...1_000_000)
        let members: [(name: String, isThere: Bool, kinds: [SendFault.Kind])] = [
            ("reason", fault.reason != nil, [.respond, .goAway]),
            ("status", fault.status != nil, [.respond]),
            ("timestamp", fault.timestamp != nil, [.respond]),
            ("milliseconds", fault.milliseconds != nil, [.delay]),
            ("frames", fault.frames != nil, [.goAway]),
            ("streams", fault.streams != nil, [.throttle]),
        ]
        for (name, isThere, kinds) in members where isThere && !kinds.contains(fault.kind) {
            let names = kinds.map { "'\($0)'" }.joined(separator: " and ")
            throw .badParameter(name: name, "it says nothing about '\(fault.kind)'; it goes with \(names)")
        }
        if let reason = fault.reason?.rawValue {
            guard reason.isASCIIWord, (1...64).contains(reason.utf8.count) else {
                throw .badParameter(
                    name: "reason",
                    "it has to be a word of 1 to 64 letters and digits, as those of APNs are"
                )
            }
        }
        if fault.kind == .respond, fault.reason == nil {
            throw .badParameter(name: "reason", "'respond' needs one, such as TooManyRequests")
        }
        if fault.kind == .delay, fault.milliseconds == nil {
            throw .badParameter(name: "milliseconds", "'delay' needs them")
        }
    }

    private static func check(_ number: Int?, named name: String, in range: ClosedRange<Int>) throws(GatewayError) {
        guard let number, !range.contains(number) else { return }
        throw .badParameter(name: name, "\(number) has to be \(range.lowerBound) to \(range.upperBound)")
    }
}
