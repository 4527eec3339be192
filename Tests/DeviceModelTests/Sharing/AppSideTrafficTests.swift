import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The values that cross to apps contain nothing of people, conversations and messages.
@Suite struct AppSideTrafficTests {
    /// Covers views whose width the app gives, and views of the standard width.
    @Test(.proves("B61", "B64", "B65"), arguments: [SecretNames.first, .second], [200, nil] as [Double?])
    func bytesForAppsContainNoSecrets(_ names: SecretNames, _ width: Double?) throws {
        let traffic = String(decoding: try SecretRun(names, width: width).traffic(), as: UTF8.self)
        for word in ["shows", "removed", "accessDenied", "presented", "dismissed", "later", "repeatedMenuItem"] {
            #expect(traffic.contains(word), "\(word)")
        }
        for word in names.words {
            #expect(!traffic.localizedCaseInsensitiveContains(word), "\(word)")
        }
    }

    @Test(.proves("B64", "B65"), arguments: [200, nil] as [Double?])
    func otherNamesOfPeopleAndConversationsGiveTheSameBytes(_ width: Double?) throws {
        let runs = try [SecretNames.first, .second].map { try SecretRun($0, width: width).traffic() }
        #expect(runs[0] == runs[1])
        #expect(runs[0].count > 5_000)
    }

    @Test func namesOfTheTwoRunsAreDisjoint() {
        #expect(Set(SecretNames.first.words).isDisjoint(with: SecretNames.second.words))
    }

    @Test func identifiersOfTheTwoRunsSortInOppositeOrders() {
        for (first, second) in zip(SecretNames.first.identifiers, SecretNames.second.identifiers) {
            #expect(Self.ranks(first) == Self.ranks(second).map { second.count - 1 - $0 })
        }
    }

    /// Returns the rank of each text in the order in which the device compares them.
    private static func ranks(_ texts: [String]) -> [Int] {
        texts.map { text in texts.filter { $0.lowercased() < text.lowercased() }.count }
    }
}
