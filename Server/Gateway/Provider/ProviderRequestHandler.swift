internal import GatewayStore
internal import LocalAuthority
internal import LocalService
internal import WaypostSchema

/// Handles providers' requests from all connections.
struct ProviderRequestHandler: Sendable {
    private let batcher: ProviderBatcher
    private let channels: ChannelRequestHandler
    private let faults: FaultInjector
    private let keys: ProviderKeys
    private let clocks: NamespaceClocks
    private let sources: GatewaySources
    let metrics: GatewayMetrics
    private let authentication: Authentication

    /// The authorities whose certificates are valid, or `nil` if clients are not asked for one.
    private let authorities: ProviderAuthorities?

    /// The hosts by which providers may call: those of the other listeners, and Apple's.
    private let hosts: AllowedHosts

    /// Whether unusual requests are refused.
    private let isStrict: Bool

    init(
        _ batcher: ProviderBatcher,
        _ channels: ChannelService,
        _ faults: FaultInjector,
        _ keys: ProviderKeys,
        _ authorities: ProviderAuthorities?,
        _ configuration: GatewayConfiguration
    ) {
        self.authorities = authorities
        self.batcher = batcher
        self.faults = faults
        self.keys = keys
        clocks = channels.devices.delivery.clocks
        sources = channels.devices.sources
        metrics = channels.devices.delivery.metrics
        self.channels = ChannelRequestHandler(
            channels: channels,
            keys: keys,
            batcher: batcher,
            isStrict: configuration.isStrict
        )
        authentication = configuration.authentication
        hosts = configuration.allowedHosts.allowing(suffix: ".push.apple.com")
        isStrict = configuration.isStrict
    }

    /// Returns the authentication state for a new connection.
    ///
    /// - Parameter certificate: the certificate that the client presented, in DER.
    /// - Returns: the state.
    func makeAuthentication(showing certificate: [UInt8]?) -> ProviderAuthentication {
        let shown = certificate.flatMap { bytes in authorities.map { ClientCertificate(bytes, $0) } }
        return ProviderAuthentication(authentication, showing: shown)
    }

    /// Returns the device of a request, if the store must be asked for a fault to inject into the request.
    func tokenWithFaults(of request: ProviderRequest) -> DeviceToken? {
        guard let token = faults.tokenWithFaults(of: request), refuseForeign(request) == nil else { return nil }
        return token
    }

    /// Returns the fault to inject into a request for a device, if there still is one.
    func takeFault(for token: DeviceToken) async -> ScriptedFault? {
        await faults.take(for: token)
    }

    /// Validates a request, and has it stored if it is valid.
    ///
    /// A request that a page of another web site may have sent is refused at once, and leaves no trace in the delivery
    /// log. Otherwise an injected fault comes first: the request is then not validated, unless the fault only delays or
    /// throttles its answer.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - scripted: the fault to inject, if any.
    ///   - sender: the authentication state of its connection.
    ///   - reply: called once, from any thread, with the reply, unless the reply is returned.
    /// - Returns: the reply, or `nil` if it is not known yet.
    func receive(
        _ request: ProviderRequest,
        injecting scripted: ScriptedFault?,
        from sender: inout ProviderAuthentication,
        reply: @escaping @Sendable (ProviderReply) -> Void
    ) -> ProviderReply? {
        if let foreign = refuseForeign(request) { return ProviderReply(foreign) }
        guard let scripted else {
            return validate(request, from: &sender) { reply(ProviderReply($0)) }.map(ProviderReply.init)
        }
        let fault = scripted.fault
        switch fault.kind {
        case .hang: return ProviderReply(.nothing)
        case .reset: return ProviderReply(.reset)
        case .goAway: return ProviderReply(.goAway(fault.reason ?? .shutdown, frames: fault.frames ?? 1))
        case .respond:
            return ProviderReply(
                refuse(request, ProviderRequestValidator(request, isStrict: isStrict), ProviderRefusal(scripted))
            )
        case .delay, .throttle:
            return validate(request, from: &sender) { reply(ProviderReply($0).modified(by: fault)) }
                .map { ProviderReply($0).modified(by: fault) }
        }
    }

    private func refuseForeign(_ request: ProviderRequest) -> ProviderAnswer? {
        do throws(ForeignRequest) {
            try hosts.check(host: request["host"], origin: request["origin"], site: request["sec-fetch-site"])
            return nil
        } catch {
            return ProviderAnswer(
                outcome: .refused(ProviderRefusal(.forbidden, error.description)),
                id: request["apns-id"] ?? sources.makeUUID(),
                hasBody: request.method != "HEAD"
            )
        }
    }

    private func validate(
        _ request: ProviderRequest,
        from sender: inout ProviderAuthentication,
        reply: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> ProviderAnswer? {
        if !request.isForDevice, let route = ChannelRoute(path: request.path) {
            return channels.receive(request, route, from: &sender, reply: reply)
        }
        var request = request
        if let topic = sender.defaultTopic { request.addTopic(topic) }
        var validator = ProviderRequestValidator(request, isStrict: isStrict)
        do throws(ProviderRefusal) {
            try validator.validate { () throws(ProviderRefusal) in
                let now = clocks.present(in: .standard)
                try sender.admit(ProviderClaim(request), keys, at: now)
            }
            store(validator.notification { NotificationID(rawValue: sources.makeUUID()) }, reply)
            return nil
        } catch {
            return refuse(request, validator, error)
        }
    }

    private func store(_ notification: NewNotification, _ reply: @escaping @Sendable (ProviderAnswer) -> Void) {
        let (id, findings) = (notification.id.rawValue, notification.findings)
        batcher.add(
            .notification(notification) { result in
                switch result {
                case .success(let uniqueID):
                    reply(ProviderAnswer(outcome: .accepted(uniqueID: uniqueID), id: id, findings: findings))
                case .failure(let refusal):
                    reply(ProviderAnswer(outcome: .refused(refusal), id: id, findings: findings))
                }
            }
        )
    }

    private func refuse(
        _ request: ProviderRequest,
        _ validator: ProviderRequestValidator,
        _ refusal: ProviderRefusal
    ) -> ProviderAnswer {
        let id = request["apns-id"] ?? sources.makeUUID()
        var subject = validator.subject
        // A sender that gave no `apns-id` finds the refusal by the generated one.
        if request["apns-id"] == nil { subject.id = NotificationID(rawValue: id) }
        batcher.add(.refused(RejectedItem(subject: subject, rejection: refusal.rejection), in: nil))
        return ProviderAnswer(
            outcome: .refused(refusal),
            id: id,
            findings: validator.findings,
            hasBody: request.method != "HEAD"
        )
    }
}

extension ProviderRefusal {
    /// Creates the refusal that a fault injects.
    fileprivate init(_ scripted: ScriptedFault) {
        self.init(
            scripted.fault.reason ?? .internalServerError,
            "this answer was injected by the fault \(scripted.id) (POST /v1/faults)",
            since: scripted.fault.timestamp,
            status: scripted.fault.status
        )
    }
}
