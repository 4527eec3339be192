import DeviceAgent
import Gateway
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// Replies from within an app, which arrive on the devices of the other participants.
@Suite(.timeLimit(.minutes(5))) struct ReplyTests {
    private static let sarahsHandle: Handle = "+14085550100"
    private static let enriquesHandle: Handle = "+14085550101"

    @Test(.proves("B3", "B25", "B59")) func replyArrivesOnTheDeviceOfTheOtherParticipant() async throws {
        try await RunningGateway.run { gateway in
            try await AppAgent.run(of: gateway) { sarah in
                let configuration = AgentConfiguration(
                    devices: [ConfiguredDevice(DeviceDescription(name: "iPhone", apps: []))],
                    service: gateway.ready.service,
                    courier: gateway.ready.courier
                )
                try await withAgent(configuration, sources: .waiting) { ready in
                    try await Self.reply(from: sarah, to: JSONCalls(gateway.http, base: ready.control))
                }
            }
        }
    }

    private static func reply(from sarah: AppAgent, to enrique: JSONCalls) async throws {
        let devices: [DeviceStatus] = try await enrique.get("/v1/devices")
        let token = try #require(devices.first?.token)
        var description = AppAgent.description
        description.handle = sarahsHandle
        let card = Contact(id: "enrique", givenName: "Enrique", handles: [enriquesHandle], tokens: [token])
        description.contacts = [card]
        // The scenario has a card of Enrique without tokens.
        try await sarah.apply(
            [.system(.deviceDescribed(description))] + AppAgent.scenario + [.sharing(.contactChanged(card))]
        )
        let tv = try await sarah.process(of: AppAgent.tv)
        let view = try await tv.attribution(AttributionRequest(url: AppAgent.url)).view
        try await sarah.apply([
            .attribution(.attributionTapped(AppAgent.tv, view, nil)),
            .attribution(.replySent(Message(id: "r1", conversation: "c1", text: "Crusty it is"))),
        ])
        let messages: [Message] = try await enrique.get("/v1/devices/iPhone/messages?wait=1&timeout=60s")
        let message = try #require(messages.first)
        #expect(messages.count == 1)
        #expect(message.text == "Crusty it is")
        #expect(message.sender == sarahsHandle)
        #expect(message.conversation == "c1")
        // The user never left the app.
        let app = try await tv.app()
        #expect(app.scenes.map(\.state) == [.foregroundActive])
    }

    @Test func replyWrittenOfflineArrivesLater() async throws {
        try await RunningGateway.run { gateway in
            try await AppAgent.run(of: gateway) { sarah in
                let other = try await sarah.client.create(
                    DeviceCreation(device: DeviceDescription(name: "iPhone", apps: []))
                )
                #expect(other.map(\.name) == ["iPhone"])
                let token = try #require(try await sarah.client.connectedDevices(atLeast: 2).last?.token)
                var description = AppAgent.description
                description.handle = Self.sarahsHandle
                let card = Contact(id: "enrique", handles: [Self.enriquesHandle], tokens: [token])
                try await sarah.apply(
                    [.system(.deviceDescribed(description))] + AppAgent.scenario + [.sharing(.contactChanged(card))]
                )
                let tv = try await sarah.process(of: AppAgent.tv)
                let view = try await tv.attribution(AttributionRequest(url: AppAgent.url)).view
                try await sarah.apply([
                    .setting(.airplaneModeSet(isOn: true)), .attribution(.attributionTapped(AppAgent.tv, view, nil)),
                    .attribution(.replySent(Message(id: "r1", conversation: "c1", text: "Crusty it is"))),
                    .setting(.airplaneModeSet(isOn: false)),
                ])
                let messages: [Message] = try await sarah.control
                    .get("/v1/devices/iPhone/messages?wait=1&timeout=60s")
                #expect(messages.map(\.text) == ["Crusty it is"])
            }
        }
    }
}
