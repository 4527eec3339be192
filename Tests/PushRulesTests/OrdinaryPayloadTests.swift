import JSONScanning
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import PushRules

/// The quick test for payloads agrees with the inspection.
@Suite struct OrdinaryPayloadTests {
    private static let ordinary: [(String, PushType)] = [
        (#"{"aps":{"alert":"Honk"}}"#, .alert), (#" { "aps" : { "badge" : 3 } , "id" : [1,{"a":2}] } "#, .alert),
        (#"{"aps":{"alert":{"title":"Bubbles","subtitle":"é","body":"\n"},"sound":"default"},"act":7}"#, .alert),
        (
            #"{"aps":{"alert":"A","category":"C","thread-id":"","target-content-id":"https://clowntown.example/a"}}"#,
            .alert
        ),
        (#"{"aps":{"content-available":1},"act":7}"#, .background),
    ]

    private static func inspect(_ bytes: [UInt8], _ context: PayloadCheck.Context) -> [PayloadCheck.LocatedFinding]? {
        guard let members = try? JSONDocument(bytes).root.members else { return nil }
        return PayloadCheck.inspect(members, at: 0, context)
    }

    @Test(arguments: ordinary) func ordinaryPayloadNeedsNoInspection(_ payload: String, pushType: PushType) {
        let context = PayloadCheck.Context(pushType: pushType)
        #expect(OrdinaryPayload.isOrdinary(Array(payload.utf8), context))
        #expect(Self.inspect(Array(payload.utf8), context)?.isEmpty == true)
    }

    @Test(
        arguments: [
            #"{"aps":{"alert":"Honk"}"#, #"{"aps":{"alert":"Honk"}} x"#, "{}", "[]", "7", #"{"aps":{}}"#, #"{"aps":7}"#,
            #"{"aps":{"alert":""}}"#, #"{"aps":{"alert":{}}}"#, #"{"aps":{"badge":-1}}"#, #"{"aps":{"badge":1.5}}"#,
            #"{"aps":{"badge":1000000000000000000000}}"#, #"{"aps":{"alert":"A"},"sound":"default"}"#,
            #"{"aps":{"alert":"A"},"aps":{"alert":"A"}}"#, #"{"aps":{"alert":"A","alert":"A"}}"#,
            #"{"aps":{"alert":"A"},"contentAvailable":1}"#, #"{"aps":{"alert":"A","target-content-id":"two words"}}"#,
        ]
    )
    func otherPayloadIsInspected(_ payload: String) {
        #expect(!OrdinaryPayload.isOrdinary(Array(payload.utf8), PayloadCheck.Context(pushType: .alert)))
    }

    /// Payloads that are mutations of ordinary ones and of the vectors.
    @Test(arguments: 1...4) func nothingIsFoundInAnOrdinaryPayload(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let vectors = try PayloadVector.all().map { (try $0.bytes, $0.pushType) }
        let sources = vectors + Self.ordinary.map { (Array($0.0.utf8), $0.1) }
        let parts = [
            "\"alert\":", "\"aps\":", "{", "}", ",", "\"\"", "\"badge\":1,", "\"sound\":\"default\",", "-", "0", " ",
            "\\u0041",
            "\"contentAvailable\":1,", "\"category\":\"\",",
        ]
        var ordinaryCount = 0
        for _ in 0..<4_000 {
            guard var (bytes, pushType) = sources.randomElement(using: &random) else { return }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let position = Int.random(in: 0...bytes.count, using: &random)
                if Bool.random(using: &random), position < bytes.count {
                    bytes.remove(at: position)
                } else if let part = parts.randomElement(using: &random) {
                    bytes.insert(contentsOf: Array(part.utf8), at: position)
                }
            }
            pushType =
                Bool.random(using: &random) ? pushType : [.alert, .background].randomElement(using: &random) ?? .alert
            let context = PayloadCheck.Context(pushType: pushType, size: bytes.count)
            guard OrdinaryPayload.isOrdinary(bytes, context) else { continue }
            ordinaryCount += 1
            #expect(
                Self.inspect(bytes, context)?.isEmpty == true,
                "\(String(decoding: bytes, as: UTF8.self)) as \(pushType)"
            )
        }
        #expect(ordinaryCount > 50)
    }
}
