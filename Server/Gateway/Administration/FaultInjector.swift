internal import Hummingbird
internal import LocalService
internal import Logging
internal import Synchronization
internal import WaypostSchema

/// The pending faults: failures that tests inject into providers' requests.
final class FaultInjector: Sendable {
    /// The maximum number of requests that a fault affects.
    private static let mostTimes = 1_000_000

    /// The longest delay of a response, in milliseconds.
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

    /// Adds a fault to inject into the next requests for a device.
    ///
    /// - Throws: `GatewayError` if the fault is not valid, or if the namespace has too many.
    func add(_ fault: SendFault, in namespace: Namespace) throws(GatewayError) -> ScriptedFault {
        var fault = fault
        fault.token = try DeviceToken(checking: fault.token)
        try Self.check(fault)
        let id = FaultID(rawValue: sources.makeUUID())
        guard let scripted = script.withLock({ $0.add(fault, as: id, in: namespace) }) else {
            throw .badParameter(
                name: "faults",
                "this namespace already has \(FaultScript.capacity) faults; remove them with DELETE /v1/faults"
            )
        }
        return scripted
    }

    /// Returns the pending faults of a namespace, in the order they were added.
    func list(in namespace: Namespace) -> [ScriptedFault] {
        script.withLock { $0.faults(in: namespace) }
    }

    /// Removes a fault.
    ///
    /// - Throws: `GatewayError.unknownFault` if no pending fault has the identifier.
    func remove(_ id: FaultID, in namespace: Namespace) throws(GatewayError) {
        guard script.withLock({ $0.remove(id, in: namespace) }) else { throw .unknownFault(id) }
    }

    /// Removes the faults of a namespace.
    func removeAll(in namespace: Namespace) {
        script.withLock { $0.removeAll(in: namespace) }
    }

    /// Returns the fault to inject into a provider's request, if any, and counts it.
    func take(for request: ProviderRequest) -> ScriptedFault? {
        guard let text = request.tokenText, let token = DeviceToken(hexadecimal: String(text)) else { return nil }
        guard let scripted = script.withLock({ $0.take(for: token) }) else { return nil }
        metrics.note(scripted.fault)
        logger.info(
            "injected a fault into a provider's request",
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
            throw .badParameter(name: name, "it does not apply to '\(fault.kind)'; it applies to \(names)")
        }
        if let reason = fault.reason?.rawValue {
            guard reason.isASCIIWord, (1...64).contains(reason.utf8.count) else {
                throw .badParameter(
                    name: "reason",
                    "it must be 1 to 64 letters and digits, like the reasons of APNs"
                )
            }
        }
        if fault.kind == .respond, fault.reason == nil {
            throw .badParameter(name: "reason", "'respond' requires a reason, such as TooManyRequests")
        }
        if fault.kind == .delay, fault.milliseconds == nil {
            throw .badParameter(name: "milliseconds", "'delay' requires a number of milliseconds")
        }
    }

    private static func check(_ number: Int?, named name: String, in range: ClosedRange<Int>) throws(GatewayError) {
        guard let number, !range.contains(number) else { return }
        throw .badParameter(name: name, "\(number) is not accepted; use \(range.lowerBound) to \(range.upperBound)")
    }
}

/// `/v1/faults`: the faults to inject into providers' requests.
struct FaultRoutes {
    let faults: FaultInjector

    func add(to router: Router<ServiceContext>) {
        router.get("v1/faults") { request, _ in
            try JSONResponse.make(faults.list(in: try request.namespace))
        }
        router.post("v1/faults") { request, _ in
            let namespace = try request.namespace
            let fault = try await JSONBody.decode(SendFault.self, from: request)
            return try JSONResponse.make(try faults.add(fault, in: namespace), status: .created)
        }
        router.delete("v1/faults") { request, _ in
            faults.removeAll(in: try request.namespace)
            return Response(status: .noContent)
        }
        router.delete("v1/faults/:id") { request, context in
            let id = FaultID(rawValue: try context.parameters.require("id"))
            try faults.remove(id, in: try request.namespace)
            return Response(status: .noContent)
        }
    }
}

/// The pending faults, in the order they were added.
///
/// A request takes the first fault for its token.
struct FaultScript: Sendable {
    /// The maximum number of faults in a namespace; a script with more has forgotten to remove them.
    static let capacity = 1_000

    private struct Entry {
        var number: Int
        var namespace: Namespace
        var scripted: ScriptedFault
    }

    private var entries: [DeviceToken: [Entry]] = [:]
    private var added = 0

    /// Returns the faults of a namespace, in order.
    func faults(in namespace: Namespace) -> [ScriptedFault] {
        entries.values.joined().filter { $0.namespace == namespace }
            .sorted { $0.number < $1.number }
            .map(\.scripted)
    }

    /// Adds a fault after the others; `nil` if there is no room for it.
    mutating func add(_ fault: SendFault, as id: FaultID, in namespace: Namespace) -> ScriptedFault? {
        guard faults(in: namespace).count < Self.capacity else { return nil }
        let scripted = ScriptedFault(id: id, fault: fault, left: fault.times)
        added += 1
        entries[fault.token, default: []].append(Entry(number: added, namespace: namespace, scripted: scripted))
        return scripted
    }

    /// Removes a fault and returns whether there was one.
    mutating func remove(_ id: FaultID, in namespace: Namespace) -> Bool {
        remove { $0.namespace == namespace && $0.scripted.id == id }
    }

    /// Removes the faults of a namespace.
    mutating func removeAll(in namespace: Namespace) {
        _ = remove { $0.namespace == namespace }
    }

    private mutating func remove(where isGone: (Entry) -> Bool) -> Bool {
        var isRemoved = false
        for (token, waiting) in entries where waiting.contains(where: isGone) {
            isRemoved = true
            let rest = waiting.filter { !isGone($0) }
            entries[token] = rest.isEmpty ? nil : rest
        }
        return isRemoved
    }

    /// Returns the fault to inject into a request for `token`, if any, and uses it up by one request.
    ///
    /// - Complexity: O(1) if the token has no faults.
    mutating func take(for token: DeviceToken) -> ScriptedFault? {
        guard !entries.isEmpty, var waiting = entries[token] else { return nil }
        var scripted = waiting[0].scripted
        guard let left = scripted.left else { return scripted }
        scripted.left = left - 1
        if left > 1 { waiting[0].scripted = scripted } else { waiting.removeFirst() }
        entries[token] = waiting.isEmpty ? nil : waiting
        return scripted
    }
}
