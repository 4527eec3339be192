internal import ServiceLifecycle

/// Takes what has expired out of the inboxes, again and again.
///
/// What has expired is not delivered whether it was swept or not; sweeping makes room, and tells those who wait.
struct Sweeper: Service {
    let mailroom: Mailroom
    let interval: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                await mailroom.expireEverywhere()
            }
        }
    }
}
