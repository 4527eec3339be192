internal import GatewayStore
internal import LocalAuthority
internal import LocalService
internal import Logging
internal import NIOCore
internal import PushRules
internal import WaypostSchema

/// Handles providers' requests from all connections.
struct ProviderRequestHandler: Sendable {
    private let batcher: ProviderBatcher
    private let channels: ChannelRequestHandler
    private let faults: FaultInjector
    private let keys: ProviderKeys
    private let clocks: NamespaceClocks
    private let store: StoreAccess
    private let sources: GatewaySources
    private let logger: Logger
    let metrics: GatewayMetrics
    let senders: SenderRecorder
    private let authentication: Authentication
    private let tokenChurn: TokenChurnScope
    private let environment: PushEnvironment?
    private let missingExpiration: MissingExpiration
    private let answerDelay: AnswerDelay?
    private let hasTestTokens: Bool

    /// The authorities whose certificates are valid, or `nil` if clients are not asked for one.
    private let authorities: ProviderAuthorities?

    /// The hosts by which providers may call: those of the other listeners, and Apple's.
    let hosts: AllowedHosts

    /// Whether unusual requests are refused.
    private let isStrict: Bool

    init(
        _ batcher: ProviderBatcher,
        _ channels: ChannelService,
        faults: FaultInjector,
        keys: ProviderKeys,
        senders: SenderRecorder,
        authorities: ProviderAuthorities?,
        configuration: GatewayConfiguration
    ) {
        self.authorities = authorities
        self.batcher = batcher
        self.faults = faults
        self.keys = keys
        self.senders = senders
        clocks = channels.devices.delivery.clocks
        sources = channels.devices.sources
        store = channels.devices.delivery.store
        logger = channels.devices.delivery.store.logger
        metrics = channels.devices.delivery.metrics
        self.channels = ChannelRequestHandler(
            channels: channels,
            keys: keys,
            batcher: batcher,
            isStrict: configuration.isStrict
        )
        authentication = configuration.authentication
        tokenChurn = configuration.tokenChurn
        environment = configuration.providerEnvironment
        missingExpiration = configuration.missingExpiration
        answerDelay = configuration.answerDelay
        hasTestTokens = configuration.hasTestTokens
        hosts = configuration.effectiveAllowedHosts.allowing(suffix: ".push.apple.com")
        isStrict = configuration.isStrict
    }

    /// Returns the sender of a new connection.
    ///
    /// - Parameter certificate: the certificate that the client presented, in DER.
    /// - Returns: the sender.
    func makeSender(certificate: [UInt8]?) -> ProviderSender {
        let clientCertificate = certificate.flatMap { bytes in authorities.map { ClientCertificate(bytes, $0) } }
        return ProviderSender(
            ProviderAuthentication(
                authentication,
                tokenChurn: tokenChurn,
                isStrict: isStrict,
                certificate: clientCertificate
            ),
            connectionNumber: senders.makeConnectionNumber()
        )
    }

    /// Returns the device of a request, if the store may have a fault to inject into the request.
    func deviceTokenWithFaults(of request: ProviderRequest) -> DeviceToken? {
        guard let token = faults.deviceTokenWithFaults(of: request), foreignRequestRefusal(for: request) == nil else {
            return nil
        }
        return token
    }

    /// Returns the fault to inject into a request for a device, if one is left.
    func takeFault(for token: DeviceToken) async -> InjectedFault? {
        await faults.take(for: token)
    }

    /// Validates a request, and has it stored if it is valid.
    ///
    /// A foreign request, which a page of another web site may have sent, is refused at once and is not in the delivery
    /// log. For other requests, an injected fault comes first: the request is then not validated, unless the fault only
    /// delays or throttles its response.
    ///
    /// A request for a device is recorded for the report about providers, unless it is foreign.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - injectedFault: the fault to inject, if any.
    ///   - sender: the sender of its connection.
    ///   - reply: called once, from any thread, with the reply, unless the reply is returned.
    /// - Returns: the reply, or `nil` if it is not known yet.
    func receive(
        _ request: ProviderRequest,
        injecting injectedFault: InjectedFault?,
        from sender: inout ProviderSender,
        reply: @escaping @Sendable (ProviderReply) -> Void
    ) -> ProviderReply? {
        if let refusal = foreignRequestRefusal(for: request) { return ProviderReply(refusal) }
        var request = request
        request.listenerEnvironment = environment
        let senders = senders
        let sentRequest = sender.makeSentRequest(from: request, keepsContent: senders.keepsContent)
        let delay = answerDelay?.next(randomBytes: sources.randomBytes) ?? .zero
        guard let injectedFault else {
            return validate(request, from: &sender.authentication) {
                reply(senders.record($0, to: sentRequest, after: delay))
            }
            .map { senders.record($0, to: sentRequest, after: delay) }
        }
        let fault = injectedFault.fault
        let target = SendTarget(token: injectedFault.token, namespace: injectedFault.namespace)
        switch fault.kind {
        case .hang: return senders.record(.nothing, to: sentRequest, for: target, applying: fault)
        case .reset: return senders.record(.reset, to: sentRequest, for: target, applying: fault)
        case .goAway:
            let action = ProviderReply.Action.goAway(fault.reason ?? .shutdown, frames: fault.frames ?? 1)
            return senders.record(action, to: sentRequest, for: target, applying: fault)
        case .respond:
            if fault.reason == .expiredProviderToken { sender.authentication.allowRenewal() }
            let validator = ProviderRequestValidator(request, isStrict: isStrict)
            let now = clocks.cachedNow(in: injectedFault.namespace)
            var response = refuse(request, validator, refusal: ProviderRefusal(injectedFault, at: now))
            response.target = target
            return senders.record(response, to: sentRequest, after: delay, applying: fault)
        case .delay, .throttle:
            return validate(request, from: &sender.authentication) {
                reply(senders.record($0, to: sentRequest, after: delay, applying: fault))
            }
            .map { senders.record($0, to: sentRequest, after: delay, applying: fault) }
        }
    }

    /// Returns the `respond` fault of a connection as a fault to inject into one of its requests for devices.
    func injectedFault(_ fault: ConnectionFault, for request: ProviderRequest) async -> InjectedFault {
        let token = request.tokenString.flatMap { DeviceToken(hexadecimal: String($0)) }
        var namespace: Namespace?
        if let token { namespace = try? await store.namespace(of: token) }
        return InjectedFault(
            fault: SendFault(kind: .respond, reason: fault.reason, status: fault.status),
            message: "this answer was injected into the connection (POST /v1/sender/connections/faults)",
            token: token,
            namespace: namespace ?? .standard
        )
    }

    /// Returns the refusal of a request that a page of another web site may have sent; `nil` for any other request.
    private func foreignRequestRefusal(for request: ProviderRequest) -> ProviderResponse? {
        do throws(ForeignRequestError) {
            try hosts.validate(host: request["host"], origin: request["origin"], site: request["sec-fetch-site"])
            return nil
        } catch {
            return ProviderResponse(
                outcome: .refused(ProviderRefusal(.forbidden, error.description)),
                id: request["apns-id"] ?? sources.makeUUID(),
                hasBody: request.method != "HEAD"
            )
        }
    }

    private func validate(
        _ request: ProviderRequest,
        from authentication: inout ProviderAuthentication,
        reply: @escaping @Sendable (ProviderResponse) -> Void
    ) -> ProviderResponse? {
        if !request.isForDevice, let route = ChannelRoute(path: request.path) {
            return channels.receive(request, route, from: &authentication, reply: reply)
        }
        var validator = ProviderRequestValidator(
            request,
            isStrict: isStrict,
            certificateTopics: authentication.certificateTopics,
            now: clocks.systemTime
        )
        if let refusal = testTokenRefusal(of: request) {
            if refusal.reason == .expiredProviderToken { authentication.allowRenewal() }
            return refuse(request, validator, refusal: refusal)
        }
        do throws(ProviderRefusal) {
            let notification = try validator.validate {
                NotificationID(rawValue: sources.makeUUID())
            } authenticate: { () throws(ProviderRefusal) in
                try authentication.admit(ProviderClaim(request), keys, at: clocks.cachedNow(in: .standard))
            }
            store(notification, reply)
            return nil
        } catch {
            return refuse(request, validator, refusal: error)
        }
    }

    /// Returns the refusal of a request for a test token, registered or not; `nil` for any other request.
    private func testTokenRefusal(of request: ProviderRequest) -> ProviderRefusal? {
        guard hasTestTokens, let string = request.tokenString, let token = DeviceToken(hexadecimal: String(string))
        else { return nil }
        return TestToken(token)?.refusal(at: clocks.cachedNow(in: .standard))
    }

    private func store(_ notification: NewNotification, _ reply: @escaping @Sendable (ProviderResponse) -> Void) {
        var notification = notification
        if missingExpiration == .drop { notification.dropWithoutExpiration() }
        var sent = notification
        sent.payload = []
        batcher.add(
            .notification(notification) { [sent] outcome, namespace in
                if let traceparent = sent.traceparent { log(outcome, of: sent.id.rawValue, traceparent) }
                reply(
                    ProviderResponse(
                        outcome: outcome,
                        id: sent.id.rawValue,
                        environment: sent.environment,
                        findings: sent.findings + sent.headerFindings(at: clocks.cachedNow(in: namespace)),
                        target: SendTarget(token: sent.token, namespace: namespace)
                    )
                )
            }
        )
    }

    /// Logs the response to a request that belongs to a trace; a provider may send thousands of others each second.
    private func log(_ outcome: ProviderResponse.Outcome, of id: String, _ traceparent: TraceParent) {
        var metadata = traceparent.metadata
        metadata["id"] = "\(id)"
        if case .refused(let refusal) = outcome, let reason = refusal.reason { metadata["reason"] = "\(reason)" }
        logger.info("provider request", metadata: metadata)
    }

    private func refuse(
        _ request: ProviderRequest,
        _ validator: ProviderRequestValidator,
        refusal: ProviderRefusal
    ) -> ProviderResponse {
        let id = request["apns-id"] ?? sources.makeUUID()
        var subject = validator.logSubject
        // A sender that gave no `apns-id` finds the refusal by the generated one.
        if request["apns-id"] == nil { subject.id = NotificationID(rawValue: id) }
        if let traceparent = subject.traceparent { log(.refused(refusal), of: id, traceparent) }
        let rejectedItem = RejectedItem(subject: subject, rejection: refusal.rejection, payload: request.body)
        batcher.add(.refused(rejectedItem, in: nil))
        return ProviderResponse(
            outcome: .refused(refusal),
            id: id,
            findings: validator.findings,
            hasBody: request.method != "HEAD",
            target: SendTarget(token: subject.token)
        )
    }
}

extension ProviderRefusal {
    /// Creates the refusal that a fault injects now; a 410 has a time, as that of APNs.
    fileprivate init(_ injected: InjectedFault, at now: Timestamp) {
        self.init(
            status: injected.fault.status,
            reason: injected.fault.reason,
            message: injected.message,
            since: injected.fault.timestamp
        )
        if status == 410, timestamp == nil { timestamp = now }
    }
}
