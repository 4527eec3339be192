internal import GatewayStore
internal import LocalAuthority
internal import WaypostSchema

/// Where providers' requests come, whichever connection they come on.
struct ProviderRequestHandler: Sendable {
    private let batcher: ProviderBatcher
    private let channels: ChannelRequestHandler
    private let faults: FaultInjector
    private let keys: ProviderKeys
    private let clocks: NamespaceClocks
    private let sources: GatewaySources
    private let metrics: GatewayMetrics
    private let authentication: Authentication

    /// Whose certificates are good; `nil` where none are asked for.
    private let authorities: ProviderAuthorities?

    /// Whether what is unusual is refused.
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
        isStrict = configuration.isStrict
    }

    /// Returns what is known of who sends on a new connection.
    ///
    /// - Parameter certificate: the certificate that the client has shown, in DER.
    /// - Returns: that.
    func makeAuthentication(showing certificate: [UInt8]?) -> ProviderAuthentication {
        let shown = certificate.flatMap { bytes in authorities.map { ClientCertificate(bytes, $0) } }
        return ProviderAuthentication(authentication, showing: shown)
    }

    /// Notes that a connection is open.
    func connectionOpened(_ name: ProviderProtocol) {
        metrics.noteOpen(name)
    }

    /// Notes that a connection is closed.
    func connectionClosed(_ name: ProviderProtocol) {
        metrics.noteClosed(name)
    }

    /// Validates a request, and has it stored if nothing is wrong with it.
    ///
    /// What is to go wrong on purpose comes before everything else: nothing more is looked at then.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - sender: who sends on its connection.
    ///   - reply: called once, from anywhere, with what is to be done about it, unless that is returned.
    /// - Returns: what is to be done about it; `nil` where that is not known yet.
    func receive(
        _ request: ProviderRequest,
        from sender: inout ProviderAuthentication,
        reply: @escaping @Sendable (ProviderReply) -> Void
    ) -> ProviderReply? {
        guard let scripted = faults.take(for: request) else {
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
        // Who was given a name for what was refused finds it by that.
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
    /// The refusal that was asked for.
    fileprivate init(_ scripted: ScriptedFault) {
        self.init(
            scripted.fault.reason ?? .internalServerError,
            "the fault \(scripted.id) of POST /v1/faults asked for this answer",
            since: scripted.fault.timestamp,
            status: scripted.fault.status
        )
    }
}
