import BatchItems
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport
@Suite struct ZScratchTests {
    @Test func converse() {
        var n = 0
        var seen: [String: Int] = [:]
        for seed in UInt64(0)..<30 {
            var g = ItemGenerator(seed: seed)
            for _ in 0..<100 {
                let orig = Array(g.item().text.utf8)
                for _ in 0..<10 {
                    var m = orig
                    Mutation.allCases.randomElement(using: &g.random)?.apply(to: &m, using: &g.random)
                    guard let f = jsonFault(m) else { continue }
                    n += 1
                    if (try? JSONDecoder().decode(JSONValue.self, from: Data(m))) != nil {
                        let k = "\(f.problem)"
                        seen[k, default: 0] += 1
                        if seen[k]! <= 2 { print("YY", f.problem, f.offset, String(decoding: m[max(0, f.offset-30)..<min(m.count, f.offset+30)], as: UTF8.self).debugDescription) }
                    }
                }
            }
        }
        print("YY", n, seen)
    }
}
