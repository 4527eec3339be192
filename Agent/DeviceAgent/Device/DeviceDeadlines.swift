internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import WaypostSchema

/// A service that applies the passing of time when that alone changes something: the link in first place of an app's
/// list, calls whose time is over, Live Activities, and background launches that wait.
struct DeviceDeadlines: Service {
    let device: DeviceStore
    let sources: AgentSources
    let logger: Logger

    func run() async throws {
        let alarm = Alarm(changes: device.changes.watch(), sources: sources) { device.nextDeadline }
        await cancelWhenGracefulShutdown {
            await alarm.run {
                do {
                    _ = try await device.apply([.system(.timePassed)], at: sources.now())
                } catch {
                    logger.error("the passing of time cannot be stored", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
