internal import DeviceModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// What a process of an app is told, as Server-Sent Events: `event: app`, the data an `AppEvent`.
enum AppStream {
    /// Returns the answer that goes on while the process is attached.
    static func response(telling app: BundleIdentifier, on device: Device) -> Response {
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                let attachment = device.processes.attach(app)
                defer { _ = device.processes.detach(attachment) }
                var process = AppProcess(of: app)
                // Something must follow the head at once, so that a process sees that it is attached.
                try await writer.write(ByteBuffer(string: ": \n\n"))
                for event in process.news(on: device.model) { try await writer.write(frame(event)) }
                var isDetached = false
                for await effect in attachment.effects.cancelOnGracefulShutdown() {
                    let events = process.news(on: device.model) + [effect.event(for: app)].compactMap(\.self)
                    for event in events { try await writer.write(frame(event)) }
                    guard !events.contains(where: \.isLast) else {
                        isDetached = true
                        break
                    }
                }
                if !isDetached { try await writer.write(frame(.detached(reason(of: attachment, device)))) }
                try await writer.finish(nil)
            }
        )
    }

    /// Why a process is told nothing more.
    private static func reason(of attachment: AppProcesses.Attachment, _ device: Device) -> DetachReason {
        let reason = device.processes.detach(attachment)
        return reason ?? (Task.isShuttingDownGracefully ? .shutdown : .tooSlow)
    }

    private static func frame(_ event: AppEvent) throws -> ByteBuffer {
        ByteBuffer(string: "event: app\ndata: \(try JSONAnswer.text(event))\n\n")
    }
}

extension AppEvent {
    /// Whether nothing follows it.
    fileprivate var isLast: Bool {
        if case .detached = self { true } else { false }
    }
}
