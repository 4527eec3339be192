import Testing
import WaypostSchema

@testable import campaigns

/// The rules of the crash model about the notifications on the agent's device.
@Suite struct CrashAgentModelTests {
    private static let id: NotificationID = "id-n0"
    private static let time = Timestamp(milliseconds: 1_000)

    private static func notification(openedAt time: Timestamp? = nil) -> DeviceNotification {
        DeviceNotification(
            id: id,
            topic: "com.example.clowntown",
            receivedAt: Timestamp(milliseconds: 0),
            openedAt: time
        )
    }

    /// Returns a model in which the user has opened the notification, with an answer.
    private static func openedModel() -> CrashModel {
        var model = CrashModel()
        model.beginOpening(id)
        model.confirmOpening(id, at: time)
        return model
    }

    private static func sentModel(collapseID: String? = nil) -> CrashModel {
        var model = CrashModel()
        let item = CrashItem("n0", id: id, sender: "s", number: 0, devices: ["agent"], collapseID: collapseID)
        model.begin([item])
        model.accept("n0", id: id)
        model.observeNotifications([notification()])
        return model
    }

    @Test func openedNotificationStaysOpen() {
        var model = Self.openedModel()
        for _ in 0..<2 { model.observeNotifications([Self.notification(openedAt: Self.time)]) }
        #expect(model.violations.isEmpty)
    }

    @Test(
        arguments: [
            [], [notification()], [notification(openedAt: Timestamp(milliseconds: 2_000))],
        ] as [[DeviceNotification]]
    )
    func answeredOpeningThatIsLostOrLaterIsFound(list: [DeviceNotification]) {
        var model = Self.openedModel()
        model.observeNotifications(list)
        #expect(model.violations.count == 1)
    }

    @Test func openingWithoutAnswerMayBeLostUnlessItWasSeen() {
        var model = CrashModel()
        model.beginOpening(Self.id)
        model.observeNotifications([Self.notification()])
        model.observeNotifications([Self.notification(openedAt: Self.time)])
        #expect(model.violations.isEmpty)
        model.observeNotifications([Self.notification()])
        #expect(model.violations.count == 1)
    }

    @Test func notificationThatNobodyOpenedAndAnswerWithoutATimeAreFound() {
        var model = CrashModel()
        model.observeNotifications([Self.notification(openedAt: Self.time)])
        #expect(model.violations.count == 1)
        model.confirmOpening(Self.id, at: nil)
        #expect(model.violations.count == 2)
    }

    @Test func onlyWhatNothingReplacesIsOpened() {
        #expect(Self.sentModel().unopenedIDs(in: [Self.notification()]) == [Self.id])
        #expect(Self.sentModel().unopenedIDs(in: [Self.notification(openedAt: Self.time)]).isEmpty)
        #expect(Self.sentModel(collapseID: "c").unopenedIDs(in: [Self.notification()]).isEmpty)
    }

    @Test(arguments: [(.acknowledged, 0), (.stored, 1), (.dropped, 1)] as [(DeliveryState, Int)])
    func notificationOnTheDeviceIsAcknowledgedInTheLog(state: DeliveryState, findings: Int) {
        let record = NotificationRecord(sequence: 1, id: Self.id, batch: "b", state: state, history: [])
        #expect(Self.sentModel().agentFindings(in: [record]).count == findings)
        #expect(Self.sentModel().agentFindings(in: []).count == 1)
    }
}
