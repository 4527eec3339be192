import DeviceModel
import Highlights
import Testing
import WaypostSchema

/// The examples in doc comments, which `ArchitectureTests` compares with these.
@Suite struct DocumentedExampleTests {
    @Test func shelfIsOrdered() throws {
        // Example of Core/Highlights/Center/SharedWithYou+reading.swift
        let json = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.tv"],"components":[{"/":"/*"}]}]}}"#
        let app = AppDescription(
            bundleIdentifier: "tv",
            applicationIdentifier: "ABCDE12345.tv",
            associatedDomains: ["applinks:tv.example"],
            sharedWithYou: true,
            scenes: []
        )
        let link = Message(id: "1", conversation: "c", sender: "ann@example.com", text: "https://tv.example/lasso")
        var device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app]))
        for event: DeviceEvent in [
            .system(.associationChecked(domain: "tv.example", source: "example", .success(Array(json.utf8)))),
            .sharing(.contactChanged(Contact(id: "ann", handles: ["ann@example.com"]))),
            .sharing(.automaticSharingSet("tv", isOn: true)),
            .sharing(.messageReceived(link)),
        ] {
            _ = device.apply(event, at: Timestamp(milliseconds: 1_790_000_000_000))
        }
        let page = device.sharing.page(of: "tv", limit: 10)
        // End of the example
        #expect(page.highlights.map(\.url) == ["https://tv.example/lasso"])
    }

    @Test func gateIsExplained() throws {
        // Example of Core/Highlights/Explanation/LinkInquiry.swift
        let app = AppDescription(bundleIdentifier: "tv", sharedWithYou: true, scenes: [])
        let device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app]))
        let explanation = device.sharing.explanation(of: "https://tv.example/lasso", for: "tv")
        // End of the example
        #expect(!explanation.isSurfaced)
    }
}
