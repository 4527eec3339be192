internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import Logging
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// The pending faults: failures that tests inject into providers' requests.
///
/// The store keeps the faults and decides which request gets one. A gateway only knows which devices and namespaces have
/// faults, and asks the store about no other request. If a namespace has some, it looks up the namespace of each device.
final class FaultInjector: Sendable {
    /// The maximum number of requests that a fault affects.
    private static let maximumTimes = 1_000_000

    /// The maximum delay of a response, in milliseconds.
    private static let maximumDelay = 600_000

    /// The devices that have faults, as last read from the store.
    private let cache = Mutex((targets: FaultTargets(), order: ReloadOrder()))

    private let store: StoreAccess
    private let metrics: GatewayMetrics
    private let sources: GatewaySources

    init(_ store: StoreAccess, metrics: GatewayMetrics, sources: GatewaySources) {
        self.store = store
        self.metrics = metrics
        self.sources = sources
    }

    /// Reads which devices have faults.
    func load() async throws(GatewayError) {
        let number = cache.withLock { $0.order.beginRead() }
        let targets = try await store.call { try await $0.faultTargets() }
        cache.withLock { cache in
            if cache.order.acceptRead(number) { cache.targets = targets }
        }
    }

    /// Reads again which devices have faults.
    func reload() async {
        await store.reload("the faults") { () async throws(GatewayError) in try await load() }
    }

    /// Adds a fault to inject into the next requests for a device, or for all devices of the namespace.
    ///
    /// - Throws: `GatewayError` if the fault is not valid, or if the namespace has too many.
    func add(_ fault: SendFault, in namespace: Namespace) async throws(GatewayError) -> ScriptedFault {
        var fault = fault
        if let token = fault.token { fault.token = try DeviceToken(checking: token) }
        try Self.check(fault)
        let id = FaultID(rawValue: sources.makeUUID())
        guard let scripted = try await store.call({ [fault] in try await $0.addFault(fault, as: id, in: namespace) })
        else {
            throw .badParameter(
                name: "faults",
                "this namespace already has \(FaultScript.capacity) faults; remove them with DELETE /v1/faults"
            )
        }
        await reload()
        return scripted
    }

    /// Returns the pending faults of a namespace, in the order they were added.
    func list(in namespace: Namespace) async throws(GatewayError) -> [ScriptedFault] {
        try await store.call { try await $0.faults(in: namespace) }
    }

    /// Removes a fault.
    ///
    /// - Throws: `GatewayError.unknownFault` if no pending fault has the identifier.
    func remove(_ id: FaultID, in namespace: Namespace) async throws(GatewayError) {
        guard try await store.call({ try await $0.removeFault(id, in: namespace) }) else { throw .unknownFault(id) }
        await reload()
    }

    /// Removes the faults of a namespace.
    func removeAll(in namespace: Namespace) async throws(GatewayError) {
        try await store.call { try await $0.removeFaults(in: namespace) }
        await reload()
    }

    /// Returns the device of a provider's request, if it may have faults.
    func deviceTokenWithFaults(of request: ProviderRequest) -> DeviceToken? {
        guard cache.withLock({ !$0.targets.isEmpty }), let string = request.tokenString,
            let token = DeviceToken(hexadecimal: String(string))
        else { return nil }
        return cache.withLock { $0.targets.mayInclude(token) } ? token : nil
    }

    /// Returns the fault to inject into a request for a device, if any, and counts it.
    ///
    /// If the store fails, nothing is injected: the request then fails by itself.
    func take(for token: DeviceToken) async -> InjectedFault? {
        // A fault for all devices of another namespace does not make each request ask for its fault.
        guard let namespace = try? await store.namespace(of: token),
            cache.withLock({ $0.targets.includes(token, in: namespace) })
        else { return nil }
        let decision = try? await store.call { try await $0.takeFault(for: token, in: namespace) }
        guard case .inject(let scriptedFault)? = decision else {
            // The fault may have been used up at another gateway.
            if decision == .noFault { await reload() }
            return nil
        }
        if scriptedFault.left == 0 { await reload() }
        metrics.recordFault(scriptedFault.fault)
        store.logger.info(
            "injected a fault into a provider's request",
            metadata: ["fault": "\(scriptedFault.id)", "kind": "\(scriptedFault.fault.kind)", "token": "\(token)"]
        )
        return InjectedFault(
            fault: scriptedFault.fault,
            message: "this answer was injected by the fault \(scriptedFault.id) (POST /v1/faults)",
            token: token,
            namespace: namespace
        )
    }

    private static func check(_ fault: SendFault) throws(GatewayError) {
        try FaultChecks.check(fault.times, named: "times", in: 1...maximumTimes)
        try FaultChecks.check(fault.status, named: "status", in: 400...599)
        try FaultChecks.check(fault.milliseconds, named: "milliseconds", in: 1...maximumDelay)
        try FaultChecks.check(fault.frames, named: "frames", in: 1...2)
        try FaultChecks.check(fault.streams, named: "streams", in: 1...1_000_000)
        let fields: [FaultChecks.Field<SendFault.Kind>] = [
            ("reason", fault.reason != nil, [.respond, .goAway]),
            ("status", fault.status != nil, [.respond]),
            ("timestamp", fault.timestamp != nil, [.respond]),
            ("milliseconds", fault.milliseconds != nil, [.delay]),
            ("frames", fault.frames != nil, [.goAway]),
            ("streams", fault.streams != nil, [.throttle]),
        ]
        try FaultChecks.check(fields, for: fault.kind)
        try FaultChecks.check(fault.reason)
        if fault.kind == .respond { try checkAnswer(of: fault) }
        if fault.kind == .delay, fault.milliseconds == nil {
            throw .badParameter(name: "milliseconds", "'delay' requires a number of milliseconds")
        }
        if let problem = fault.choiceProblem { throw .badParameter(name: problem.member, problem.message) }
    }

    private static func checkAnswer(of fault: SendFault) throws(GatewayError) {
        try FaultChecks.checkAnswer(reason: fault.reason, status: fault.status)
        guard fault.reason == nil, fault.timestamp != nil else { return }
        throw .badParameter(name: "timestamp", "it is in the body, which an answer has only with a 'reason'")
    }
}

/// A fault to inject into a request, and the namespace that the request belongs to.
struct InjectedFault: Sendable {
    /// The fault.
    var fault: SendFault

    /// The message of an injected answer, which says where the fault came from.
    var message: String

    /// The token of the request; `nil` if it has none that is valid.
    var token: DeviceToken?

    /// The namespace of the device; the standard one if it is unknown.
    var namespace: Namespace
}

/// `/v1/faults`: the faults to inject into providers' requests.
struct FaultRoutes {
    let faults: FaultInjector

    func add(to router: Router<ServiceContext>) {
        router.get("v1/faults") { request, _ in
            try JSONResponse.make(try await faults.list(in: try request.namespace))
        }
        router.post("v1/faults") { request, _ in
            let namespace = try request.namespace
            let fault = try await JSONBody.decode(SendFault.self, from: request)
            return try JSONResponse.make(try await faults.add(fault, in: namespace), status: .created)
        }
        router.delete("v1/faults") { request, _ in
            try await faults.removeAll(in: try request.namespace)
            return Response(status: .noContent)
        }
        router.delete("v1/faults/:id") { request, context in
            let id = FaultID(rawValue: try context.parameters.require("id"))
            try await faults.remove(id, in: try request.namespace)
            return Response(status: .noContent)
        }
    }
}

extension DeviceToken {
    /// Creates a token in its canonical form, with lowercase digits.
    ///
    /// - Throws: `GatewayError.malformedBody` if it is not hexadecimal with two digits per byte.
    init(checking token: DeviceToken) throws(GatewayError) {
        guard let canonical = DeviceToken(hexadecimal: token.rawValue) else {
            throw .malformedBody("'token' must be at most \(Self.maximumDigitCount) hexadecimal digits, two per byte")
        }
        self = canonical
    }
}
