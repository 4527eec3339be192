import BatchItems

/// The scanning of the items of a batch.
enum BatchBenchmarks {
    static func all() -> [Benchmark] {
        let payload = #"{"aps":{"alert":{"title":"Crusty is near","body":"Balloons at the gate"},"badge":1}}"#
        let lines = (0..<1_000).map { index in
            let token = String(repeating: "0123456789abcdef", count: 4)
            let fields = #""topic":"com.example.clowntown","collapseID":"crusty-\#(index)","priority":10"#
            return #"{"token":"\#(token)",\#(fields),"payload":\#(payload)}"#
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        return [
            Benchmark(name: "scan: an item of a batch of 1,000 lines", results: 1_000) {
                var reader = BatchItemReader(bytes)
                var good = 0
                while let entry = try? reader.next(), case .success = entry.result { good += 1 }
                return good
            }
        ]
    }
}
