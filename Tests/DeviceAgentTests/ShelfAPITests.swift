import AsyncHTTPClient
import DeviceAgent
import Foundation
import GatewayClient
import GatewayTestSupport
import NIOCore
import Testing
import WaypostSchema
import WaypostTestSupport

/// The shelf of an app over the APIs: its title, Show More, and photographs in its picture.
@Suite(.timeLimit(.minutes(5))) struct ShelfAPITests {
    private static func picture(_ agent: AppAgent) async throws -> String {
        let url = "\(agent.ready.control)\(agent.path)/apps/\(AppAgent.tv)/shelf.svg"
        let response = try await agent.gateway.http.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        return String(buffer: try await response.body.collect(upTo: 8 << 20))
    }

    @Test func appGetsTheTitleOfItsShelfInItsLanguage() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let tv = try await agent.process(of: AppAgent.tv)
            let english = try await tv.highlights(limit: 0)
            #expect(english.highlightCollectionTitle == "Shared with You")
            try await agent.apply([.setting(.languageSet("ko"))])
            let korean = try await tv.highlights(limit: 0)
            #expect(korean.highlightCollectionTitle == "나와 공유된 항목")
        }
    }

    @Test(.proves("B17")) func appShowsAllAfterATapOnShowMore() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let urls = (1...6).map { "https://tv.example/shows/\($0)" }
            let message = Message(
                id: "m2",
                conversation: "c1",
                sender: "+14085550101",
                text: urls.joined(separator: " ")
            )
            try await agent.apply([.sharing(.messageReceived(message)), .sharing(.linkPinned("m2", url: nil))])
            let short = try await Self.picture(agent)
            #expect(short.contains(">\u{2068}Show More\u{2069}<"))
            let tv = try await agent.process(of: AppAgent.tv)
            let events = try await tv.events {
                try await agent.apply([.attribution(.showMoreTapped(AppAgent.tv, after: nil))])
            } until: {
                $0.contains(.showMoreTapped)
            }
            #expect(events.contains(.showMoreTapped))
            let long = try await Self.picture(agent)
            #expect(!long.contains("Show More"))
            let report: ShelfReport = try await agent.control.get("\(agent.path)/apps/\(AppAgent.tv)/shelf")
            #expect(report.showsAll == true && report.total == 7)
        }
    }

    /// A photograph of the maximum size is larger than other bodies may be.
    @Test(.proves("B20")) func largestPhotographIsAcceptedAndDrawn() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            // A header of one pixel, and nothing that is decoded.
            let header = try #require(Data(base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe"))
            let rest = Data(repeating: 0, count: Contact.maximumPhotoSize - header.count)
            let photo = (header + rest).base64EncodedString()
            let card = Contact(id: "enrique", givenName: "Enrique", photo: photo, handles: ["+14085550101"])
            try await agent.apply([.sharing(.contactChanged(card))])
            let picture = try await Self.picture(agent)
            #expect(picture.contains("data:image/png;base64,\(photo)"))
        }
    }
}
