import GatewayStore
import Testing
import WaypostSchema

/// The topics that a token accepts after a change, so that other notifications in flight end.
@Suite struct DeviceChangeTests {
    private static let now = Timestamp(milliseconds: 1_000)
    private static let later = Timestamp(milliseconds: 1_001)

    @Test(
        arguments: [
            (.topics(["clowns"]), ["clowns"]), (.rotation(to: "slate"), []),
            (.standing(.unregistered, since: now), []), (.standing(.expired, since: later), []),
            (.standing(.wrongEnvironment, since: now), []), (.standing(.unregistered, since: later), nil),
            (.standing(.active, since: now), nil), (.power(isLowPowerModeEnabled: true), nil),
            (.inboxPurge(of: nil), nil), (.inboxPurge(of: "clowns"), nil),
        ] as [(DeviceChange, Set<Topic>?)]
    )
    func onlySomeChangesDecideAboutTopics(_ change: DeviceChange, topics: Set<Topic>?) {
        #expect(change.acceptedTopics(at: Self.now) == topics)
    }
}
