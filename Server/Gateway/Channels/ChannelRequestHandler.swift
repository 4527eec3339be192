internal import Foundation
internal import GatewayStore
internal import HTTP2Sessions
internal import LocalService
internal import Logging
internal import PushRules
internal import WaypostSchema

/// Handles providers' requests about broadcast channels.
struct ChannelRequestHandler: Sendable {
    let channels: ChannelService
    let keys: ProviderKeys

    /// The batcher through which refusals reach the delivery log.
    let batcher: ProviderBatcher

    /// Whether unusual requests are refused.
    let isStrict: Bool

    /// Validates a request and runs it if it is valid.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - route: the resource that its path addresses.
    ///   - authentication: the authentication state of its connection.
    ///   - reply: called once, from any thread, with the response, unless the response is returned.
    /// - Returns: the response, or `nil` if it is not known yet.
    func receive(
        _ request: ProviderRequest,
        _ route: ChannelRoute,
        from authentication: inout ProviderAuthentication,
        reply: @escaping @Sendable (ProviderResponse) -> Void
    ) -> ProviderResponse? {
        let id = request["apns-request-id"] ?? channels.devices.sources.makeUUID()
        if let trace = request.trace.parent {
            let metadata = trace.metadata.merging(["id": "\(id)"]) { $1 }
            channels.devices.delivery.store.logger.info("provider request about a channel", metadata: metadata)
        }
        var validator = ChannelRequestValidator(request, route, isStrict: isStrict)
        do throws(ProviderRefusal) {
            let messageID = NotificationID(rawValue: id)
            let command = try validator.validate(messageID: messageID) { () throws(ProviderRefusal) in
                let now = channels.devices.delivery.clocks.cachedNow(in: .standard)
                return try authentication.admit(ProviderClaim(request, about: route.app), keys, at: now)
            }
            let job = ChannelJob(
                command: command,
                app: route.app,
                environment: request.environment,
                namespace: try request.namespace,
                id: id,
                usesAPNSwiftDialect: validator.usesAPNSwiftDialect,
                findings: validator.findings
            )
            let subject = validator.logSubject
            do throws(GatewayError) {
                try channels.add(onlyReads: job.command.onlyReads) { reply(await run(job, subject)) }
            } catch {
                throw ProviderRefusal(error)
            }
            return nil
        } catch {
            let subject = route.resource == .broadcasts ? validator.logSubject : nil
            var response = refuse(error, id, subject: subject, in: try? request.namespace, findings: validator.findings)
            response.hasBody = request.method != "HEAD"
            return response
        }
    }

    /// A validated request, with everything that is needed to run it.
    private struct ChannelJob: Sendable {
        var command: ChannelCommand
        var app: Topic
        var environment: PushEnvironment?
        var namespace: Namespace
        var id: String
        var usesAPNSwiftDialect: Bool
        var findings: [NotificationFinding]
    }

    private func run(_ job: ChannelJob, _ subject: LogSubject) async -> ProviderResponse {
        do throws(ProviderRefusal) {
            return providerResponse(try await response(to: job), to: job)
        } catch {
            guard case .send(let id, _) = job.command else {
                return refuse(error, job.id, subject: nil, in: nil, findings: job.findings)
            }
            let channel = try? await channels.channel(id)
            let namespace = channel?.namespace ?? job.namespace
            return refuse(error, job.id, subject: subject, in: namespace, findings: job.findings)
        }
    }

    private func providerResponse(_ response: HTTP2Response, to job: ChannelJob) -> ProviderResponse {
        ProviderResponse(outcome: .done(response), id: job.id, idName: Self.idName, findings: job.findings)
    }

    private func response(to job: ChannelJob) async throws(ProviderRefusal) -> HTTP2Response {
        switch job.command {
        case .create(let policy):
            let (environment, namespace) = (job.environment, job.namespace)
            let channel = try await channels.createChannel(
                of: job.app,
                environment: environment,
                policy: policy,
                in: namespace
            )
            let idField = HTTP2Field("apns-channel-id", channel.id.rawValue)
            guard job.usesAPNSwiftDialect else { return HTTP2Response(status: 201, fields: [idField]) }
            return .json(ChannelBody(channel, includesID: true), status: 201, [idField])
        case .remove(let id):
            try await channels.removeChannel(try await find(id, for: job))
            return job.usesAPNSwiftDialect ? .json([String: String]()) : HTTP2Response(status: 204)
        case .send(let id, let message):
            let result = try await channels.broadcast(message, to: try await find(id, for: job))
            let subscribers = result.devices == 1 ? "1 device is" : "\(result.devices) devices are"
            var fields = [HTTP2Field("waypost-message", "\(subscribers) subscribed to the channel")]
            if let uniqueID = result.uniqueID { fields.append(HTTP2Field("apns-unique-id", uniqueID)) }
            return HTTP2Response(status: 200, fields: fields)
        case .read(let id):
            return .json(ChannelBody(try await find(id, for: job).channel, includesID: job.usesAPNSwiftDialect))
        case .list: return .json(DeviceChannels(channels: try await channelIDs(for: job)))
        }
    }

    private func channelIDs(for job: ChannelJob) async throws(ProviderRefusal) -> [ChannelID] {
        do throws(GatewayError) {
            return try await channels.channelIDs(of: job.app, in: job.environment, namespace: job.namespace)
        } catch {
            throw ProviderRefusal(error)
        }
    }

    /// Returns the channel with an ID, if the client may see it.
    private func find(_ id: ChannelID, for job: ChannelJob) async throws(ProviderRefusal) -> ChannelRecord {
        let foundRecord: ChannelRecord?
        do throws(GatewayError) {
            foundRecord = try await channels.channel(id)
        } catch {
            throw ProviderRefusal(error)
        }
        guard let record = foundRecord, record.channel.app == job.app else {
            throw ProviderRefusal(.channelNotRegistered, "the app has no channel with this ID")
        }
        if let channelEnvironment = record.channel.environment, let environment = job.environment,
            channelEnvironment != environment
        {
            throw ProviderRefusal(
                .channelNotRegistered,
                "the channel belongs to the \(channelEnvironment.rawValue) environment"
            )
        }
        return record
    }

    private func refuse(
        _ refusal: ProviderRefusal,
        _ id: String,
        subject: LogSubject?,
        in namespace: Namespace?,
        findings: [NotificationFinding]
    ) -> ProviderResponse {
        if var subject {
            // A sender that gave no `apns-request-id` finds the refusal by the generated one.
            if subject.id == nil { subject.id = NotificationID(rawValue: id) }
            let item = RejectedItem(subject: subject, rejection: refusal.rejection)
            batcher.add(.refused(item, in: namespace ?? .standard))
        }
        return ProviderResponse(outcome: .refused(refusal), id: id, idName: Self.idName, findings: findings)
    }

    private static let idName = "apns-request-id"
}

/// A channel as the body of a response.
private struct ChannelBody: Encodable {
    var id: ChannelID?
    var policy: Int
    var pushType = "LiveActivity"

    enum CodingKeys: String, CodingKey {
        case id = "channel-id"
        case policy = "message-storage-policy"
        case pushType = "push-type"
    }

    init(_ channel: BroadcastChannel, includesID: Bool) {
        id = includesID ? channel.id : nil
        policy = channel.policy.rawValue
    }
}

extension ProviderClaim {
    /// Creates the claim of a request about an app's channels.
    fileprivate init(_ request: ProviderRequest, about app: Topic) {
        self.init(request)
        topic = app.rawValue
        disallowedTopicReason = .topicMismatch
        isAboutApp = true
    }
}

extension ProviderRequest {
    /// The namespace for new channels.
    fileprivate var namespace: Namespace {
        get throws(ProviderRefusal) {
            guard let name = self["x-waypost-namespace"] else { return .standard }
            do throws(RequestError) {
                return try Namespace(checking: name, parameter: "X-Waypost-Namespace")
            } catch {
                throw ProviderRefusal(.badRequestParams, error.message)
            }
        }
    }
}
