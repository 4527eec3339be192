internal import DeviceModel
internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// What a process of an app is told, as Server-Sent Events: `event: app`, the data an `AppEvent`.
enum AppStream {
    /// Returns the answer that goes on while the process is attached.
    static func response(to request: Request, telling app: BundleIdentifier, on device: RunningDevice) -> Response {
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                let (device, processes) = (device, device.store.processes)
                let attachment = processes.attach(app)
                // Those of a process before this one.
                await device.releaseViews(of: app)
                var news = AppNews(attachment, of: device.store)
                do {
                    try await request.body.consumeWithInboundCloseHandler { _ in
                        // Something must follow the head at once, so that a process sees that it is attached.
                        try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat))
                        for event in news.first() { try await writer.write(ServerSentEventText.make("app", event)) }
                        for await effect in attachment.effects.cancelOnGracefulShutdown() {
                            for event in news.after(effect) {
                                try await writer.write(ServerSentEventText.make("app", event))
                            }
                            if news.isOver { break }
                        }
                        for event in news.last() { try await writer.write(ServerSentEventText.make("app", event)) }
                    } onInboundClosed: {
                        processes.detach(attachment)
                    }
                    try await writer.finish(nil)
                } catch {
                    await device.leave(attachment)
                    throw error
                }
                await device.leave(attachment)
            }
        )
    }
}

/// What a process that is attached is told, one thing after another.
private struct AppNews {
    private let attachment: AppProcesses.Attachment
    private let device: DeviceStore
    private var process: AppProcess

    /// Whether the process was told that nothing follows.
    private(set) var isOver = false

    init(_ attachment: AppProcesses.Attachment, of device: DeviceStore) {
        self.attachment = attachment
        self.device = device
        process = AppProcess(of: attachment.app)
    }

    /// What the process begins with.
    mutating func first() -> [AppEvent] {
        let model = device.model
        // The app may have been removed since its credential was looked at.
        if model.app(attachment.app) == nil { device.processes.end(attachment.app, for: .removed) }
        return isTold ? process.news(on: model) : []
    }

    /// What an effect of the device is to the process.
    mutating func after(_ effect: DeviceEffect) -> [AppEvent] {
        guard isTold else { return [] }
        let event = effect.event(for: attachment.app)
        if case .detached = event { isOver = true }
        return process.news(on: device.model) + [event].compactMap(\.self)
    }

    /// Why the process is told nothing more, where it was not told that yet.
    mutating func last() -> [AppEvent] {
        guard !isOver else { return [] }
        let reason = device.processes.detach(attachment)
        return [.detached(reason ?? (Task.isShuttingDownGracefully ? .shutdown : .tooSlow))]
    }

    /// Whether the process is still the one that is told: another one may have attached, and is handed everything.
    private var isTold: Bool {
        !isOver && device.processes.isAttached(attachment)
    }
}
