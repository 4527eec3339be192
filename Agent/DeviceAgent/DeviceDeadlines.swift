internal import Logging
internal import ServiceLifecycle
internal import WaypostSchema

/// Lets time pass for a device where that alone changes something: which link may have the first place of an app's list.
struct DeviceDeadlines: Service {
    let device: Device
    let sources: AgentSources
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                var awaited: Timestamp?
                for await _ in device.deadlineChanges {
                    // Who waits for an earlier deadline looks again when that is over.
                    guard let next = device.nextDeadline, awaited.map({ next < $0 || $0 <= sources.now() }) ?? true
                    else { continue }
                    awaited = next
                    group.addTask { await pass(to: next) }
                }
                group.cancelAll()
            }
        }
    }

    private func pass(to deadline: Timestamp) async {
        let wait = max(0, deadline.rawValue - sources.now().rawValue)
        guard (try? await sources.sleep(.milliseconds(wait))) != nil else { return }
        guard let next = device.nextDeadline, next <= sources.now() else { return device.lookAtDeadline() }
        do {
            _ = try await device.apply([.timePassed], at: sources.now())
        } catch {
            logger.error("the passing of time cannot be kept", metadata: ["error": "\(error)"])
        }
    }
}
