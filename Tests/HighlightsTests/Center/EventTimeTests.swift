import Consent
import Highlights
import Testing
import WaypostSchema

/// The times of events, which are those of the clock of the device.
@Suite struct EventTimeTests {
    @Test(arguments: [1_000, 9_000]) func messageArrivesAtTheTimeOfTheClock(_ time: Int) throws {
        let clock = Timestamp(milliseconds: 5_000)
        var device = SharedWithYou()
        _ = device.advanceTime(to: clock)
        let message = Message(id: "m1", conversation: "c1", sender: "enrique@example.com", text: "Hello")
        let moment = EventMoment(at: Timestamp(milliseconds: time), eventNumber: 1)
        _ = try device.apply(.messageReceived(message), at: moment)
        #expect(device.messages.map(\.sentAt) == [clock])
    }
}
