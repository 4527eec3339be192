internal import Foundation
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/v1/apps`: how an app's notifications are kept.
struct AppRoutes {
    let devices: DeviceRegistry

    func add(to router: Router<BasicRequestContext>) {
        router.get("v1/apps") { request, _ in
            try JSONResponse.make(try await devices.apps(in: try request.namespace))
        }
        router.get("v1/apps/:topic") { request, context in
            let topic = try topic(context)
            let apps = try await devices.apps(in: try request.namespace)
            return try JSONResponse.make(
                apps.first { $0.topic == topic } ?? AppSettings(topic: topic, storage: .lossless)
            )
        }
        router.put("v1/apps/:topic") { request, context in
            let namespace = try request.namespace
            let change = try await JSONBody.decode(AppSettingsChange.self, from: request)
            let topic = try topic(context)
            return try JSONResponse.make(try await devices.setStorage(change.storage, for: topic, in: namespace))
        }
    }

    private func topic(_ context: BasicRequestContext) throws -> Topic {
        let text = try context.parameters.require("topic")
        guard let topic = text.removingPercentEncoding else {
            throw RequestError.badParameter(name: "topic", "'\(text)' is not percent-encoded as a path is")
        }
        return Topic(rawValue: topic)
    }
}
