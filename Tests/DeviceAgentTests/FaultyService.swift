import AsyncHTTPClient
import DeviceAgent
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

/// The service listener of a gateway behind a proxy that refuses requests about devices, or loses their answers.
///
/// It is also the courier listener of the gateway while a fault of `/v1/secret` waits, if the agent asks for its URL.
final class FaultyService: Sendable {
    /// A fault of the next requests that match.
    struct Fault: Sendable, CustomTestStringConvertible {
        /// The outcome of a request.
        enum Outcome: Sendable {
            /// It does not reach the gateway, and gets this status.
            case refusal(Int)

            /// The gateway performs it, but the agent gets no usable answer.
            case lostAnswer

            /// The gateway performs it, and the agent gets the answer after `releaseAnswers`.
            case heldAnswer
        }

        let outcome: Outcome
        let method: HTTPRequest.Method

        /// A part of the path or of the body.
        let text: String

        /// The number of requests.
        var count = 1

        var testDescription: String {
            "\(outcome) to \(count) × \(method.rawValue) \(text)"
        }
    }

    private struct State {
        var faults: [Fault] = []
        var requests: [String] = []
        var holdsAnswers = true
    }

    private static let maximumBodySize = 1 << 20

    private let gateway: RunningGateway
    private let state = Mutex(State())

    init(of gateway: RunningGateway) {
        self.gateway = gateway
    }

    /// Adds a fault.
    func add(_ fault: Fault) {
        state.withLock { $0.faults.append(fault) }
    }

    /// Lets the agent have the answers that are held.
    func releaseAnswers() {
        state.withLock { $0.holdsAnswers = false }
    }

    /// The number of faults that wait for requests.
    var faultCount: Int {
        state.withLock { state in state.faults.reduce(0) { $0 + $1.count } }
    }

    /// Returns the number of requests until now, refused ones among them.
    func requestCount(_ method: HTTPRequest.Method, _ text: String) -> Int {
        state.withLock { state in
            state.requests.count { $0.hasPrefix(method.rawValue) && $0.contains(text) }
        }
    }

    func respond(to request: Request) async throws -> Response {
        if request.uri.path == "/health" { return health(request) }
        // An agent uses other parts of the gateway only if it has them.
        guard request.uri.path.hasPrefix("/v1/devices") || request.uri.path == Self.secretPath else {
            return Self.refusal(404)
        }
        let body = try await request.body.collect(upTo: Self.maximumBodySize)
        switch nextFault(of: "\(request.method.rawValue) \(request.uri.description) \(String(buffer: body))") {
        case .refusal(let status): return Self.refusal(status)
        case .lostAnswer:
            _ = try await answer(to: request, body)
            return Response(status: .badGateway, body: ResponseBody(byteBuffer: ByteBuffer(string: "lost")))
        case .heldAnswer:
            let answer = try await answer(to: request, body)
            try await waitUntil("the answer is released") { state.withLock { !$0.holdsAnswers } }
            return answer
        case nil: return try await answer(to: request, body)
        }
    }

    private static let secretPath = "/v1/secret"

    private func health(_ request: Request) -> Response {
        let isCourier = state.withLock { state in
            state.faults.contains { $0.count > 0 && $0.text == Self.secretPath }
        }
        let courier = isCourier ? "http://\(request.head.authority ?? "")" : gateway.ready.courier
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: #"{"status":"ok","schema":1,"courier":"\#(courier)"}"#)
            )
        )
    }

    private func nextFault(of request: String) -> Fault.Outcome? {
        state.withLock { state in
            state.requests.append(request)
            let index = state.faults.firstIndex { fault in
                fault.count > 0 && request.hasPrefix(fault.method.rawValue + " ") && request.contains(fault.text)
            }
            guard let index else { return nil }
            state.faults[index].count -= 1
            return state.faults[index].outcome
        }
    }

    private func answer(to request: Request, _ body: ByteBuffer) async throws -> Response {
        let isForCourier = request.uri.path == Self.secretPath
        let listener = isForCourier ? gateway.ready.courier : gateway.ready.service
        var forwarded = HTTPClientRequest(url: listener + request.uri.description)
        if let secret = request.headers[.authorization] { forwarded.headers.add(name: "authorization", value: secret) }
        forwarded.method = HTTPMethod(rawValue: request.method.rawValue)
        if let type = request.headers[.contentType] { forwarded.headers.add(name: "content-type", value: type) }
        if body.readableBytes > 0 { forwarded.body = .bytes(body) }
        let answer = try await gateway.http.execute(forwarded, timeout: .minutes(1))
        return Response(
            status: HTTPResponse.Status(code: Int(answer.status.code)),
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: try await answer.body.collect(upTo: Self.maximumBodySize))
        )
    }

    private static func refusal(_ status: Int) -> Response {
        Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: "application/json", .retryAfter: "1"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: #"{"error":{"code":"refusedByTest","message":"refused by a test"}}"#)
            )
        )
    }
}

/// A gateway, and an agent that reaches its service listener through a proxy.
struct FaultyStack: Sendable {
    static let device = "Ava's iPad"
    static let app: BundleIdentifier = "com.example.tv"
    static let alerts = TokenPurpose(.app, of: app)
    static let voip = TokenPurpose(.voip, of: app)

    /// An app with two tokens of its own.
    static let description = AppDescription(
        bundleIdentifier: app,
        scenes: [SceneSession(persistentIdentifier: "main")],
        tokens: [.app, .voip]
    )

    /// The part of a registration that only one for the VoIP token has.
    static let voipRegistration = #""kind":"voip""#

    let agent: AgentClient
    let gateway: GatewayClient
    let service: FaultyService

    /// Returns the stack of an agent that reaches the gateway without the proxy.
    static func stack(of gateway: RunningGateway, _ client: GatewayClient, _ ready: AgentReadyFile) -> FaultyStack {
        FaultyStack(
            agent: AgentClient(gateway.http, control: ready.control),
            gateway: client,
            service: FaultyService(of: gateway)
        )
    }

    /// Returns all registrations at the gateway.
    func registrations() async throws -> [RegisteredDevice] {
        try await gateway.devices(after: nil).devices.map(\.device)
    }

    /// Returns the tokens of the app by purpose, once `count` are assigned.
    ///
    /// The waits of the agent end after a moment, also those of its control API.
    func tokens(_ count: Int = 2) async throws -> [TokenPurpose: DeviceToken] {
        var tokens: [TokenPurpose: DeviceToken] = [:]
        try await waitUntil("\(count) tokens are assigned") {
            let pairs = try await agent.tokens(of: Self.device).compactMap { token in
                token.token.map { (token.purpose, $0) }
            }
            tokens = Dictionary(uniqueKeysWithValues: pairs)
            return tokens.count >= count
        }
        return tokens
    }

    /// Waits until every fault has occurred.
    func waitForFaults() async throws {
        try await waitUntil("every fault has occurred") { service.faultCount == 0 }
    }

    /// Returns the token of the device.
    func deviceToken() async throws -> DeviceToken? {
        try await agent.devices().first?.token
    }

    /// Applies an event, which must have an effect.
    func apply(_ event: DeviceEvent) async throws {
        let reaction = try await agent.apply(event, to: Self.device)
        for case .system(.eventIgnored(let ignored)) in reaction.effects { Issue.record("\(ignored)") }
    }

    /// Runs `body` while an agent with a device runs, which has no app with tokens at first.
    ///
    /// If `isCourierFaulty`, the agent asks the proxy for the URL of the courier listener.
    static func run(
        faults: [FaultyService.Fault] = [],
        isCourierFaulty: Bool = false,
        _ body: @escaping @Sendable (FaultyStack) async throws -> Void
    ) async throws {
        // Each token must be new.
        var sources = GatewaySources.forTests()
        sources.randomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        try await RunningGateway.run(sources: sources) { gateway in
            let service = FaultyService(of: gateway)
            for fault in faults { service.add(fault) }
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            try await LoopbackServer.run(responding: { try await service.respond(to: $0) }) { url in
                let device = ConfiguredDevice(DeviceDescription(name: Self.device, apps: []))
                let courier = isCourierFaulty ? nil : gateway.ready.courier
                let configuration = AgentConfiguration(devices: [device], service: url, courier: courier)
                try await withAgent(configuration, sources: .forTests) { ready in
                    let agent = AgentClient(gateway.http, control: ready.control)
                    try await waitUntil("the device is connected") {
                        try await agent.devices().contains(where: \.isConnected)
                    }
                    try await body(FaultyStack(agent: agent, gateway: client, service: service))
                }
            }
        }
    }
}
