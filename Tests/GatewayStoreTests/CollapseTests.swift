import GatewayStore
import Testing
import WaypostSchema

@Suite struct CollapseTests {
    private var records = GatewayRecords.example

    init() {
        records.take(.example("old", collapseID: "crusty"), as: "old")
    }

    @Test mutating func newestTakesTheSlot() {
        records.take(.example("new", collapseID: "crusty"), as: "new")
        #expect(records.inbox("home") == ["new"])
        #expect(records.states(of: "old") == [.collapsed: 1])
        #expect(records.states(of: "new") == [.stored: 1])
    }

    @Test mutating func newestIsReadBehindTheOld() throws {
        let old = try #require(records.sequence(of: "old"))
        records.take(.example("new", collapseID: "crusty"), as: "new")
        let (page, _) = records.read("home", after: old, limit: .max, at: .noon)
        #expect(page.map(\.notification.id) == ["new"])
    }

    @Test(arguments: [
        NewNotification.example("new", collapseID: "dusty"),
        .example("new", collapseID: "Crusty"),
        .example("new", collapseID: nil),
        .example("new", for: "notes", collapseID: "crusty"),
        .example("new", to: "phone", collapseID: "crusty"),
    ])
    mutating func otherSlotIsNotTouched(_ notification: NewNotification) {
        records.take(notification, as: "new")
        #expect(records.inbox("home") == ["old", "new"])
        #expect(records.states(of: "old") == [.stored: 1])
    }

    @Test mutating func slotOfAnotherAgentIsNotTouched() {
        records.take(.example("new", to: "laptop", collapseID: "crusty"), as: "new")
        #expect(records.inbox("home") == ["old"])
        #expect(records.inbox("away") == ["new"])
    }

    @Test mutating func notificationsWithoutIdentifierDoNotCollapse() {
        records.take(.example("n1"), .example("n2"))
        #expect(records.inbox("home") == ["old", "n1", "n2"])
    }

    @Test mutating func emptyIdentifierIsAnIdentifier() {
        records.take(.example("n1", collapseID: ""), .example("n2", collapseID: ""))
        #expect(records.inbox("home") == ["old", "n2"])
    }

    @Test mutating func acknowledgedNotificationIsNotCollapsedLater() throws {
        _ = records.acknowledge("home", [try #require(records.sequence(of: "old"))])
        let changes = records.take(.example("new", collapseID: "crusty"), as: "new")
        #expect(changes == GatewayRecords.Changes(agents: ["home"]))
        #expect(records.states(of: "old") == [.acknowledged: 1])
        #expect(records.inbox("home") == ["new"])
    }

    @Test mutating func acknowledgingTheOldLeavesTheSlotToTheNew() throws {
        let old = try #require(records.sequence(of: "old"))
        records.take(.example("new", collapseID: "crusty"), as: "new")
        #expect(records.acknowledge("home", [old]).count == 0)
        records.take(.example("newest", collapseID: "crusty"), as: "newest")
        #expect(records.inbox("home") == ["newest"])
        #expect(records.states(of: "old") == [.collapsed: 1])
        #expect(records.states(of: "new") == [.collapsed: 1])
    }

    @Test mutating func twoOfOneBatchCollapse() {
        records.take(.example("n1", collapseID: "dusty"), .example("n2"), .example("n3", collapseID: "dusty"))
        #expect(records.inbox("home") == ["old", "n2", "n3"])
        #expect(records.states() == [.stored: 2, .collapsed: 1])
    }

    @Test mutating func slotIsKeptWhenTheDeviceIsRegisteredAgain() {
        records.register("tablet", topics: ["clowns"], secret: "home")
        records.take(.example("new", collapseID: "crusty"), as: "new")
        #expect(records.inbox("home") == ["new"])
    }

    /// Otherwise the device would get neither.
    @Test(arguments: [(0, .dropped), (99, .expired)] as [(Int, DeliveryState)])
    mutating func whatIsNotStoredLeavesTheSlotAsItWas(expiration: Int, _ state: DeliveryState) {
        records.take(.example("gone", expiration: expiration, collapseID: "crusty"), as: "gone")
        #expect(records.inbox("home") == ["old"])
        #expect(records.states(of: "old") == [.stored: 1])
        #expect(records.states(of: "gone") == [state: 1])
        records.take(.example("new", collapseID: "crusty"), as: "new")
        #expect(records.inbox("home") == ["new"])
    }

    @Test mutating func refusedNotificationTakesNoSlot() {
        records.take(.example("new", for: "photos", collapseID: "crusty"), as: "new")
        records.register("tablet", topics: ["notes"], secret: "home")
        records.take(.example("newer", collapseID: "crusty"), as: "newer")
        #expect(records.inbox("home") == ["old"])
    }
}
