internal import GatewayStore
internal import WaypostSchema

/// Where providers' requests come, whichever connection they come on.
struct ProviderDesk: Sendable {
    let intake: ProviderIntake
    let sources: GatewaySources

    /// Whether what is unusual is refused.
    let isStrict: Bool

    init(_ intake: ProviderIntake, _ sources: GatewaySources, _ configuration: GatewayConfiguration) {
        self.intake = intake
        self.sources = sources
        isStrict = configuration.isStrict
    }

    /// Judges a request, and has it stored where nothing is wrong with it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - reply: called once, here or from anywhere else, with the answer.
    func receive(_ request: ProviderRequest, reply: @escaping @Sendable (ProviderAnswer) -> Void) {
        var judge = ProviderJudge(request, isStrict: isStrict)
        do throws(ProviderRefusal) {
            let notification = try judge.judge {
                NotificationID(rawValue: sources.makeUUID())
            } authenticate: { _, _ in
            }
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
        } catch {
            intake.add(.refused(RejectedItem(subject: judge.subject, rejection: error.rejection)))
            reply(
                ProviderAnswer(
                    outcome: .refused(error),
                    id: request["apns-id"] ?? sources.makeUUID(),
                    findings: judge.findings
                )
            )
        }
    }
}
