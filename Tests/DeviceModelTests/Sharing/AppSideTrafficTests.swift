import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// What crosses to the side of apps says nothing of people, conversations and messages.
@Suite struct AppSideTrafficTests {
    @Test(.proves("B64", "B65")) func nothingThatWasPutInIsInTheBytesForApps() throws {
        let names = SecretNames.first
        let traffic = String(decoding: try SecretRun(names).traffic(), as: UTF8.self)
        #expect(traffic.contains("shows") && traffic.contains("removed") && traffic.contains("accessDenied"))
        for word in names.words {
            #expect(!traffic.localizedCaseInsensitiveContains(word), "\(word)")
        }
    }

    @Test(.proves("B64", "B65")) func otherNamesOfPeopleAndConversationsGiveTheSameBytes() throws {
        let runs = try [SecretNames.first, .second].map { try SecretRun($0).traffic() }
        #expect(runs[0] == runs[1])
        #expect(runs[0].count > 5_000)
    }

    @Test func namesOfTheTwoRunsHaveNothingInCommon() {
        #expect(Set(SecretNames.first.words).isDisjoint(with: SecretNames.second.words))
    }

    @Test func identifiersOfTheTwoRunsSortTheOtherWayRound() {
        for (first, second) in zip(SecretNames.first.identifiers, SecretNames.second.identifiers) {
            #expect(Self.ranks(first) == Self.ranks(second).map { second.count - 1 - $0 })
        }
    }

    /// Returns the place that each text has among all, in the order in which the device compares them.
    private static func ranks(_ texts: [String]) -> [Int] {
        texts.map { text in texts.filter { $0.lowercased() < text.lowercased() }.count }
    }
}
