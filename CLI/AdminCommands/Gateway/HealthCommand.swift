internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost health` command, which shows whether a gateway can accept notifications.
struct HealthCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Show whether a gateway can accept notifications, and the gateways of a cluster.",
        discussion: "Exits with 1 if it cannot, and with 69 if it does not answer."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let health = try await gateway.withClient { client in try await client.readiness() }
        try output.write(health, text: Self.text)
        guard health.status == "ok" else { throw CommandFailure.failed() }
    }

    static func text(_ health: Health) -> any TextPresentable {
        let properties = [
            health.store.map { "store \($0)" }, health.build.map { "\($0) build" }, "schema \(health.schema)",
            health.courier.map { "devices at \($0)" }, health.trustsNetwork == true ? "trusts its network" : nil,
        ]
        let checks = (health.checks ?? [:]).sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        var parts: [any TextPresentable] = [
            "\(health.status): \(properties.compactMap(\.self).joined(separator: ", "))",
            TextTable(header: ["Check", "Result"], rows: checks) { column, text in
                column == 1 ? text == "ok" ? .green : .red : nil
            },
        ]
        if let notice = health.notice { parts.append(notice) }
        if let gateways = health.gateways {
            let rows = gateways.map { gateway in
                [
                    "\(gateway.number)", gateway.courier ?? "", gateway.joined.textWithMilliseconds,
                    [gateway.isSelf ? "answers" : nil, gateway.leads ? "leads" : nil].compactMap(\.self)
                        .joined(separator: ", "),
                ]
            }
            parts.append(TextTable(header: ["Gateway", "Devices at", "Since", ""], rows: rows))
        }
        return TextParts(parts)
    }
}
