import PushRules
import Testing
import WaypostSchema

/// The choice of the requests that get a fault.
@Suite struct FaultChoiceTests {
    /// Returns the choices for the first requests, as a pattern.
    private static func choices(of fault: SendFault, count: Int) -> String {
        (0..<count).map { fault.affectsRequest(after: $0) ? "x" : "-" }.joined()
    }

    @Test(
        arguments: [(nil, "xxxxxxx"), ("x", "xxxxxxx"), ("--x", "--x--x-"), ("x-", "x-x-x-x")] as [(String?, String)]
    )
    func patternIsRepeated(_ pattern: String?, _ choices: String) {
        #expect(Self.choices(of: SendFault(kind: .hang, pattern: pattern), count: 7) == choices)
    }

    @Test(arguments: [0.05, 0.25, 0.5, 0.9]) func shareOfChosenRequestsIsTheProbability(_ probability: Double) {
        let seeds: [Int?] = [nil, 0, 1, 7, .max]
        for seed in seeds {
            let fault = SendFault(kind: .hang, probability: probability, seed: seed)
            let count = Self.choices(of: fault, count: 10_000).utf8.count { $0 == UInt8(ascii: "x") }
            // The standard deviation is at most 50.
            #expect(abs(Double(count) - probability * 10_000) < 250, "seed \(seed.map { "\($0)" } ?? "absent")")
        }
    }

    @Test func probabilityOfOneIsCertain() {
        let fault = SendFault(kind: .hang, probability: 1, seed: 3)
        #expect(Self.choices(of: fault, count: 64) == String(repeating: "x", count: 64))
    }

    /// People write tests that depend on these choices, so they must never change.
    @Test func choicesOfASeedNeverChange() {
        let seeds: [Int?] = [nil, 0, 7]
        let choices = seeds.map { seed in
            Self.choices(of: SendFault(kind: .hang, probability: 0.3, seed: seed), count: 32)
        }
        #expect(
            choices == [
                "--x-x-x-x---------x--------x---x", "--x-x-x-x---------x--------x---x",
                "---------x-x--x---xx-------x---x",
            ]
        )
    }

    @Test(arguments: [
        (SendFault(kind: .hang, probability: 0), "probability"),
        (SendFault(kind: .hang, probability: -1), "probability"),
        (SendFault(kind: .hang, probability: 1.01), "probability"), (SendFault(kind: .hang, seed: 1), "seed"),
        (SendFault(kind: .hang, probability: 0.5, seed: -1), "seed"), (SendFault(kind: .hang, pattern: ""), "pattern"),
        (SendFault(kind: .hang, pattern: "--"), "pattern"), (SendFault(kind: .hang, pattern: "x_"), "pattern"),
        (SendFault(kind: .hang, pattern: String(repeating: "x", count: 65)), "pattern"),
        (SendFault(kind: .hang, probability: 0.5, pattern: "x"), "pattern"),
    ])
    func mistakeIsNamed(_ fault: SendFault, _ member: String) {
        #expect(fault.choiceProblem?.member == member)
    }

    @Test(arguments: [
        SendFault(kind: .hang), SendFault(kind: .hang, probability: 1),
        SendFault(kind: .hang, probability: 0.1, seed: 0),
        SendFault(kind: .hang, pattern: "--x"), SendFault(kind: .hang, pattern: String(repeating: "x", count: 64)),
    ])
    func validChoiceHasNoMistake(_ fault: SendFault) {
        #expect(fault.choiceProblem?.member == nil)
    }
}

/// Tokens that always get the same refusal.
@Suite struct TestTokenTests {
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    @Test(arguments: [
        ("00", 400), ("01", 400), ("03", 403), ("04", 403), ("10", 410), ("11", 410), ("13", 413), ("29", 429),
        ("30", 429), ("50", 500), ("53", 503), ("54", 503),
    ])
    func prefixDecidesAboutTheAnswer(_ digits: String, _ status: Int) throws {
        for rest in ["", "00", String(repeating: "ab", count: 29)] {
            let token = try #require(TestToken(DeviceToken(rawValue: "7e57\(digits)\(rest)")))
            let refusal = token.refusal(at: Self.now)
            #expect(refusal.status == status)
            #expect(refusal.message.contains("7e57\(digits)"))
            #expect(refusal.timestamp == (status == 410 ? Self.now : nil))
        }
    }

    @Test func everyReasonHasOnePrefix() {
        #expect(Set(TestToken.reasons.map(\.digits)).count == TestToken.reasons.count)
        #expect(Set(TestToken.reasons.map(\.reason)).count == TestToken.reasons.count)
    }

    @Test(arguments: ["7e57", "7e5702", "7e5799", "007e5710", "c0ffee", ""] as [DeviceToken])
    func otherTokensAreOrdinary(_ token: DeviceToken) {
        #expect(TestToken(token) == nil)
    }
}
