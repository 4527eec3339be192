import Testing
import WaypostSchema
import WireTypes

/// The OpenAPI description has the objects of the schema.
@Suite struct OpenAPITests {
    private let openAPI: OpenAPISchemas
    private let schema: Schema

    init() throws {
        openAPI = try OpenAPISchemas.current()
        schema = try Schema.current()
    }

    @Test(arguments: [
        "APIErrorBody", "Acknowledgement", "AcknowledgementReceipt", "AgentAnnouncement", "AssociationAnswer",
        "AssociationQuestion", "LinkedAgent", "LinkedAgentList", "PayloadFinding", "PayloadReport", "RelayedRequest",
        "ProviderTrialPhase", "ProviderTrialResult", "ProviderTrialTimeline",
        "ReportedRun", "ReportedRunList", "RunAnnouncement", "RunDifference", "RunEvent", "RunEventList", "RunFigures",
        "RunStep", "RunTable", "AppSettings", "AppSettingsChange", "BatchItem",
        "BatchReceipt", "BatchStatus", "ClockAdvance", "ClockReading", "DeliveredNotification", "DeliveryStep",
        "DeviceChannels", "DeviceCredential", "DevicePower", "DevicePage", "DeviceRegistration", "DeviceTopics",
        "Health", "InboxEntry", "InboxPage", "InboxPurge", "ItemFinding", "ItemResult", "ListedDevice",
        "NamespaceSummary", "NotificationFinding", "NotificationPage", "NotificationRecord", "OpenStream",
        "ConnectionFault", "ConnectionFaultReceipt", "ProviderConnectionEvent", "ProviderConnectionRecord",
        "ProviderTokenUse", "ProviderKey", "ProviderKeyUse", "ProviderRequestRecord", "ChannelSummary",
        "RegisteredDevice", "ScriptedFault", "SecretRotation", "SendFault", "SenderReport",
        "StreamDevice", "StreamEnd", "StreamPage", "TokenRotation", "TokenStandingChange",
    ])
    func everyTypeOfTheGatewayIsDescribedAndReferenced(_ name: String) {
        #expect(openAPI.names(at: ["properties"], of: name) != nil)
        #expect(openAPI.references.contains(["schemas", name]))
    }

    @Test(arguments: try described())
    func propertiesAreThoseOfTheSchema(_ type: WireType) throws {
        let properties = try #require(openAPI.names(at: ["properties"], of: type.name))
        #expect(properties.sorted() == schema.properties(of: type).sorted())
    }

    @Test(arguments: try described())
    func requiredPropertiesAreThoseOfTheSchema(_ type: WireType) {
        let required = openAPI.names(at: ["required"], of: type.name) ?? []
        #expect(required.sorted() == schema.required(of: type).sorted())
    }

    @Test(arguments: try describedSets())
    func namesOfAClosedSetAreThoseOfTheSchema(_ set: ClosedSetTests.Case) throws {
        let path = set.property.map { ["properties", $0] } ?? []
        let names = try #require(openAPI.names(at: path + ["enum"], of: set.definition))
        #expect(names == ClosedSetTests.names(of: set.type))
    }

    @Test(arguments: ["Durability", "PushType", "RejectionReason"])
    func examplesOfAnOpenSetAreThoseOfTheSchema(_ name: String) throws {
        let examples = try #require(openAPI.names(at: ["examples"], of: name))
        #expect(examples == schema.definitions[name]?["examples"]?.strings)
    }

    @Test func everyReferenceLeadsToAComponent() {
        #expect(openAPI.references.count >= 80)
        #expect(openAPI.references.filter { !openAPI.hasComponent(at: $0) } == [])
    }

    /// Returns the wire types in the OpenAPI description.
    private static func described() throws -> [WireType] {
        let openAPI = try OpenAPISchemas.current()
        return WireType.all.filter { openAPI.names(at: ["properties"], of: $0.name) != nil }
    }

    /// Returns the closed sets in the OpenAPI description, and those of its objects.
    private static func describedSets() throws -> [ClosedSetTests.Case] {
        let openAPI = try OpenAPISchemas.current()
        return ClosedSetTests.cases.filter { openAPI.names(at: [], of: $0.definition) != nil }
    }
}
