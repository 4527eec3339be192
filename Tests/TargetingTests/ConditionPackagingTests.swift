import Foundation
import PredicateFormat
import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// Conditions are encoded for transport, and validated when they are decoded.
@Suite struct ConditionPackagingTests {
    @Test(.proves("T47", "T63")) func packagedConditionsAreTheSameConditions() throws {
        let conditions = try CompiledConditions(
            ActivationConditions(can: "self like[cd] '*crusty*'", prefers: "not (self = 'a' || self = 'b')")
        )
        let package = try JSONEncoder().encode(conditions)
        #expect(try JSONDecoder().decode(CompiledConditions.self, from: package) == conditions)
    }

    @Test func packagedConditionsWithTextsAreTheSameConditions() throws {
        let conditions = try CompiledConditions(ActivationConditions(preferring: ["a"], allowing: ["b", "*"]))
        let package = try JSONEncoder().encode(conditions)
        #expect(try JSONDecoder().decode(CompiledConditions.self, from: package) == conditions)
        #expect(conditions != CompiledConditions())
    }

    @Test func absentConditionsAreTheDefaults() throws {
        #expect(try unpack("{}") == CompiledConditions())
    }

    @Test(
        .proves("T48"),
        arguments: [
            (#"{"version":1,"format":"length > 3"}"#, "forbidden, offset 0"),
            (#"{"version":1,"format":"SELF MATCHES 'a'"}"#, "forbidden, offset 5"),
            (#"{"version":1,"format":"SELF =="}"#, "syntax, offset 7"),
            (#"{"version":2,"format":"TRUEPREDICATE"}"#, "version 2"),
        ]
    )
    func invalidPackageIsRefusedWithItsReason(_ predicate: String, _ reason: String) throws {
        let error = try #require(throws: DecodingError.self) {
            try unpack(#"{"canActivateForTargetContentIdentifierPredicate":\#(predicate)}"#)
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.debugDescription.contains(reason))
        #expect(context.codingPath.map(\.stringValue) == ["canActivateForTargetContentIdentifierPredicate"])
    }

    private func unpack(_ text: String) throws -> CompiledConditions {
        try JSONDecoder().decode(CompiledConditions.self, from: Data(text.utf8))
    }
}
