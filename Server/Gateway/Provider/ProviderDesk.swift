internal import GatewayStore
internal import WaypostSchema

/// Where providers' requests come, whichever connection they come on.
struct ProviderDesk: Sendable {
    private let intake: ProviderIntake
    private let mailroom: Mailroom
    private let authentication: Authentication

    /// Whether what is unusual is refused.
    private let isStrict: Bool

    init(_ intake: ProviderIntake, _ mailroom: Mailroom, _ configuration: GatewayConfiguration) {
        self.intake = intake
        self.mailroom = mailroom
        authentication = configuration.authentication
        isStrict = configuration.isStrict
    }

    /// Returns what is known of who sends on a new connection.
    func makeAuthentication() -> ProviderAuthentication {
        ProviderAuthentication(authentication)
    }

    /// Judges a request, and has it stored where nothing is wrong with it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - sender: who sends on its connection.
    ///   - reply: called once, here or from anywhere else, with the answer.
    func receive(
        _ request: ProviderRequest,
        from sender: inout ProviderAuthentication,
        reply: @escaping @Sendable (ProviderAnswer) -> Void
    ) {
        var judge = ProviderJudge(request, isStrict: isStrict)
        do throws(ProviderRefusal) {
            try judge.judge { () throws(ProviderRefusal) in
                try sender.admit(
                    request["authorization"],
                    topic: request["apns-topic"],
                    environment: request.environment,
                    mailroom.keys,
                    at: mailroom.clocks.present(in: .standard)
                )
            }
            store(judge.notification { NotificationID(rawValue: mailroom.sources.makeUUID()) }, reply)
        } catch {
            refuse(request, judge, error, reply)
        }
    }

    private func store(_ notification: NewNotification, _ reply: @escaping @Sendable (ProviderAnswer) -> Void) {
        let (id, findings) = (notification.id.rawValue, notification.findings)
        intake.add(
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
        _ judge: ProviderJudge,
        _ refusal: ProviderRefusal,
        _ reply: @escaping @Sendable (ProviderAnswer) -> Void
    ) {
        intake.add(.refused(RejectedItem(subject: judge.subject, rejection: refusal.rejection)))
        reply(
            ProviderAnswer(
                outcome: .refused(refusal),
                id: request["apns-id"] ?? mailroom.sources.makeUUID(),
                findings: judge.findings,
                hasBody: request.method != "HEAD"
            )
        )
    }
}
