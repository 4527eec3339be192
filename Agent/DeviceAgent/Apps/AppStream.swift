internal import DeviceModel
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// The events for a process of an app, as Server-Sent Events: `event: app`, with an `AppEvent` as data.
enum AppStream {
    /// Returns the streaming response, which lasts as long as the process is attached.
    static func response(
        in context: ServiceContext,
        for app: BundleIdentifier,
        as role: AppProcess.Role,
        on device: RunningDevice
    ) -> Response {
        ServerSentEventText.response { writer in
            let (device, processes) = (device, device.store.processes)
            let attachment = processes.attach(app, as: role)
            // These are the views of the app's previous process.
            if role == .app { await device.releaseViews(of: app) }
            var sequence = AppEventSequence(attachment, of: device.store)
            do {
                try await context.whileConnected {
                    // The first bytes follow the head at once, so that the process sees that it is attached.
                    try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat))
                    for event in sequence.firstEvents() {
                        try await ServerSentEventText.write(ServerSentEventText.make("app", event), to: &writer)
                    }
                    for await case .effect(let effect) in attachment.updates.cancelOnGracefulShutdown() {
                        for event in sequence.events(after: effect) {
                            try await ServerSentEventText.write(ServerSentEventText.make("app", event), to: &writer)
                        }
                        if sequence.hasEnded { break }
                    }
                    for event in sequence.detachAndReturnLastEvents() {
                        try await ServerSentEventText.write(ServerSentEventText.make("app", event), to: &writer)
                    }
                } onDisconnect: {
                    processes.detach(attachment)
                }
            } catch {
                await device.remove(attachment)
                throw error
            }
            await device.remove(attachment)
        }
    }
}

/// The sequence of events for an attached process.
private struct AppEventSequence {
    private let attachment: AppProcesses.Attachment
    private let device: DeviceStore
    private var process: AppProcess

    /// Whether the process received its last event.
    private(set) var hasEnded = false

    init(_ attachment: AppProcesses.Attachment, of device: DeviceStore) {
        self.attachment = attachment
        self.device = device
        process = AppProcess(of: attachment.app, as: attachment.program.role)
    }

    /// Returns the first events for the process.
    mutating func firstEvents() -> [AppEvent] {
        let model = device.model
        // The app may have been removed since its credential was checked.
        if model.app(attachment.app) == nil { device.processes.detachAll(of: attachment.app, for: .removed) }
        return receivesEvents ? process.newEvents(on: model) : []
    }

    /// Returns the events for the process after an effect on the device.
    mutating func events(after effect: DeviceEffect) -> [AppEvent] {
        guard receivesEvents else { return [] }
        let isForProgram = attachment.program.role == .app || effect == .system(.deviceRestored)
        let event = isForProgram ? effect.appEvent(for: attachment.app) : nil
        if case .detached(let reason) = event {
            hasEnded = true
            // A process that the system ends learns nothing more.
            if reason == .callNotReported { return [.detached(reason)] }
        }
        return process.newEvents(on: device.model) + [event].compactMap(\.self)
    }

    /// Returns the event that ends the stream, with the reason, unless the process already received one.
    mutating func detachAndReturnLastEvents() -> [AppEvent] {
        guard !hasEnded else { return [] }
        let reason = device.processes.detach(attachment)
        return [.detached(reason ?? (Task.isShuttingDownGracefully ? .shutdown : .tooSlow))]
    }

    /// Whether the process still receives events; it does not if another process has replaced it.
    private var receivesEvents: Bool {
        !hasEnded && device.processes.isAttached(attachment)
    }
}
