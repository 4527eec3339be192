internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import JSONScanning
internal import WaypostSchema

/// Finds the payload of a notification, because the delivery log does not contain it.
struct PayloadSearch {
    let gateway: GatewayClient
    let agent: AgentOptions

    /// Returns the payload of a notification, from the inbox of its device or else from the device itself.
    ///
    /// - Throws: `CommandFailure` if neither has it.
    func payload(of record: NotificationRecord) async throws -> JSONValue {
        if let payload = try await payloadInInbox(of: record) { return payload }
        if let payload = try await payloadOnDevice(of: record) { return payload }
        throw CommandFailure.failed(
            "the payload is not known any more: the notification is \(record.state.rawValue), and no device of an agent at "
                + "--agent has it"
        )
    }

    private func payloadInInbox(of record: NotificationRecord) async throws -> JSONValue? {
        guard let token = record.token, !record.state.isFinal else { return nil }
        let page = try await gateway.inbox(of: token, after: record.sequence - 1, limit: 1)
        return page.notifications.first { $0.notification.sequence == record.sequence }?.notification.payload
    }

    private func payloadOnDevice(of record: NotificationRecord) async throws -> JSONValue? {
        do {
            return try await agent.withClient { client in
                guard let device = try await client.devices().first(where: { $0.token == record.token }) else {
                    return nil
                }
                let journal = try await client.wholeJournal(of: device.name)
                return journal.lazy.compactMap { entry -> JSONValue? in
                    guard case .notification(.notificationDelivered(let notification)) = entry.event,
                        notification.id == record.id
                    else {
                        return nil
                    }
                    return notification.payload
                }.first
            }
        } catch let error as CommandFailure where error.hasNoAnswer {
            // No agent is reachable.
            return nil
        }
    }
}

/// Formats with which other tools send a notification.
enum NotificationExport {
    /// Returns the payload as a file for the Simulator of Xcode, with the topic as a member.
    static func apns(_ payload: JSONValue, of record: NotificationRecord) throws -> String {
        guard case .object(var members) = payload else { return try JSONOutput.document(payload) }
        members["Simulator Target Bundle"] = record.topic.map { .string($0.rawValue) }
        return try JSONOutput.document(JSONValue.object(members))
    }

    /// Returns the command that sends the same notification with `curl`, as to APNs.
    ///
    /// The command has no identifier, because a device ignores a second notification with the same one.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - record: the notification.
    ///   - providerURL: the base URL of the provider listener.
    ///   - caCertificatePath: the certificate file of the gateway's authority, if it is known.
    ///   - now: the time; the command leaves out an expiration that has passed.
    /// - Returns: the command, on several lines.
    /// - Throws: the error of the encoder.
    static func curl(
        _ payload: JSONValue,
        of record: NotificationRecord,
        providerURL: String,
        caCertificatePath: String?,
        at now: Timestamp
    ) throws -> String {
        let expiration = record.expiration.flatMap { $0 == 0 || $0 > now.seconds ? $0 : nil }
        let headers: [(String, String?)] = [
            ("apns-topic", record.topic?.rawValue), ("apns-push-type", record.pushType?.rawValue),
            ("apns-priority", record.priority.map(String.init)),
            ("apns-expiration", expiration.map(String.init)),
            ("apns-collapse-id", record.collapseID?.rawValue),
        ]
        let isSecure = providerURL.hasPrefix("https:")
        let trust = isSecure ? caCertificatePath.map { ["--cacert \(quoted($0))"] } ?? [] : []
        let lines =
            ["curl -i \(isSecure ? "--http2" : "--http2-prior-knowledge")"] + trust
            + headers.compactMap { name, value in value.map { "-H \(quoted("\(name): \($0)"))" } }
            + [
                "--data-raw \(quoted(try JSONOutput.line(payload)))",
                quoted("\(providerURL)/3/device/\(record.token ?? "")"),
            ]
        return lines.joined(separator: " \\\n  ")
    }

    /// Returns a string as one word of a shell.
    private static func quoted(_ string: String) -> String {
        "'" + string.replacing("'", with: "'\\''") + "'"
    }
}
