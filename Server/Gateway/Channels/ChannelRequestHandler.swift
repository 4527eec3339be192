internal import Foundation
internal import GatewayStore
internal import HTTP2Sessions
internal import Logging
internal import WaypostSchema

/// Where providers' requests about broadcast channels come.
struct ChannelRequestHandler: Sendable {
    let mailroom: Mailroom

    /// What is refused is logged there.
    let intake: ProviderBatcher

    /// Whether what is unusual is refused.
    let isStrict: Bool

    /// Judges a request, and has it done where nothing is wrong with it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - route: what its path asks for.
    ///   - sender: who sends on its connection.
    ///   - reply: called once, from anywhere, with the answer, unless that is returned.
    /// - Returns: the answer; `nil` where it is not known yet.
    func receive(
        _ request: ProviderRequest,
        _ route: ChannelRoute,
        from sender: inout ProviderAuthentication,
        reply: @escaping @Sendable (ProviderAnswer) -> Void
    ) -> ProviderAnswer? {
        let id = request["apns-request-id"] ?? mailroom.sources.makeUUID()
        var judge = ChannelRequestValidator(request, route, isStrict: isStrict)
        do throws(ProviderRefusal) {
            let order = try judge.order(naming: NotificationID(rawValue: id)) { () throws(ProviderRefusal) in
                let now = mailroom.clocks.present(in: .standard)
                try sender.admit(ProviderClaim(request, about: route.app), mailroom.keys, at: now)
            }
            let job = ChannelJob(
                order: order,
                app: route.app,
                environment: request.environment,
                namespace: try request.namespace,
                id: id,
                isOtherDialect: judge.isOtherDialect,
                findings: judge.findings
            )
            let subject = judge.subject
            if let response = try look(job) { return answer(response, to: job) }
            do throws(GatewayError) {
                try mailroom.channelWork.add { reply(await perform(job, subject)) }
            } catch {
                throw ProviderRefusal(error)
            }
            return nil
        } catch {
            let subject = route.place == .broadcasts ? judge.subject : nil
            var answer = refuse(error, id, subject, in: try? request.namespace, judge.findings)
            answer.hasBody = request.method != "HEAD"
            return answer
        }
    }

    /// What is to be done, and what has to be known for that.
    private struct ChannelJob: Sendable {
        var order: ChannelCommand
        var app: Topic
        var environment: PushEnvironment?
        var namespace: Namespace
        var id: String
        var isOtherDialect: Bool
        var findings: [NotificationFinding]
    }

    private func perform(_ job: ChannelJob, _ subject: LogSubject) async -> ProviderAnswer {
        do throws(ProviderRefusal) {
            return answer(try await response(to: job), to: job)
        } catch {
            guard case .send(let id, _) = job.order else { return refuse(error, job.id, nil, in: nil, job.findings) }
            let namespace = mailroom.channels[id]?.namespace ?? job.namespace
            return refuse(error, job.id, subject, in: namespace, job.findings)
        }
    }

    private func answer(_ response: HTTP2Response, to job: ChannelJob) -> ProviderAnswer {
        ProviderAnswer(outcome: .done(response), id: job.id, idName: Self.idName, findings: job.findings)
    }

    /// What is answered to who only looks, which waits for nothing; `nil` where something is to be done.
    private func look(_ job: ChannelJob) throws(ProviderRefusal) -> HTTP2Response? {
        switch job.order {
        case .read(let id): .json(ChannelBody(try find(id, for: job).channel, isNamed: job.isOtherDialect))
        case .list:
            .json(DeviceChannels(channels: mailroom.channels.names(of: job.app, in: job.environment, job.namespace)))
        case .create, .remove, .send: nil
        }
    }

    private func response(to job: ChannelJob) async throws(ProviderRefusal) -> HTTP2Response {
        switch job.order {
        case .create(let policy):
            let (environment, namespace) = (job.environment, job.namespace)
            let channel = try await mailroom.createChannel(of: job.app, environment, policy, in: namespace)
            let name = HTTP2Field("apns-channel-id", channel.id.rawValue)
            guard job.isOtherDialect else { return HTTP2Response(status: 201, fields: [name]) }
            return .json(ChannelBody(channel, isNamed: true), status: 201, [name])
        case .remove(let id):
            try await mailroom.removeChannel(try find(id, for: job))
            return job.isOtherDialect ? .json([String: String]()) : HTTP2Response(status: 204)
        case .send(let id, let message):
            let sent = try await mailroom.broadcast(message, to: try find(id, for: job))
            let subscribers = sent.devices == 1 ? "1 device is" : "\(sent.devices) devices are"
            var fields = [HTTP2Field("waypost-message", "\(subscribers) subscribed to the channel")]
            if let uniqueID = sent.uniqueID { fields.append(HTTP2Field("apns-unique-id", uniqueID)) }
            return HTTP2Response(status: 200, fields: fields)
        case .read, .list: return try look(job) ?? HTTP2Response(status: 200)
        }
    }

    /// The channel that has a name, where a client may know of it.
    private func find(_ id: ChannelID, for job: ChannelJob) throws(ProviderRefusal) -> ChannelRegistry.Known {
        guard let known = mailroom.channels[id], known.channel.app == job.app else {
            throw ProviderRefusal(.channelNotRegistered, "the app has no channel with this name")
        }
        if let own = known.channel.environment, let environment = job.environment, own != environment {
            throw ProviderRefusal(.channelNotRegistered, "the channel is one of \(own.rawValue)")
        }
        return known
    }

    private func refuse(
        _ refusal: ProviderRefusal,
        _ id: String,
        _ subject: LogSubject?,
        in namespace: Namespace?,
        _ findings: [NotificationFinding]
    ) -> ProviderAnswer {
        if var subject {
            // Who was given a name for what was refused finds it by that.
            if subject.id == nil { subject.id = NotificationID(rawValue: id) }
            let item = RejectedItem(subject: subject, rejection: refusal.rejection)
            intake.add(.refused(item, in: namespace ?? .standard))
        }
        return ProviderAnswer(outcome: .refused(refusal), id: id, idName: Self.idName, findings: findings)
    }

    private static let idName = "apns-request-id"
}

/// A channel in the body of an answer.
private struct ChannelBody: Encodable {
    var id: ChannelID?
    var policy: Int
    var pushType = "LiveActivity"

    enum CodingKeys: String, CodingKey {
        case id = "channel-id"
        case policy = "message-storage-policy"
        case pushType = "push-type"
    }

    init(_ channel: BroadcastChannel, isNamed: Bool) {
        id = isNamed ? channel.id : nil
        policy = channel.policy.rawValue
    }
}

extension HTTP2Response {
    /// An answer with a JSON body.
    fileprivate static func json(_ body: some Encodable, status: Int = 200, _ fields: [HTTP2Field] = []) -> Self {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Nothing in it cannot be encoded.
        let bytes = (try? encoder.encode(body)).map(Array.init) ?? Array("{}".utf8)
        return Self(status: status, fields: fields + [HTTP2Field("content-type", "application/json")], body: bytes)
    }
}

extension ProviderClaim {
    /// Reads what a request about an app's channels says.
    fileprivate init(_ request: ProviderRequest, about app: Topic) {
        self.init(request)
        topic = app.rawValue
        foreignTopic = .topicMismatch
        isAboutApp = true
    }
}

extension ProviderRequest {
    /// The namespace that new channels are made in.
    fileprivate var namespace: Namespace {
        get throws(ProviderRefusal) {
            guard let name = self["x-waypost-namespace"] else { return .standard }
            do throws(GatewayError) {
                return try Namespace(checking: name, parameter: "X-Waypost-Namespace")
            } catch {
                throw ProviderRefusal(.badRequestParams, error.message)
            }
        }
    }
}
