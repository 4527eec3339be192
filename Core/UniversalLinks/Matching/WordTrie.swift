/// A trie of words, which finds all words at a position of a text in one pass.
struct WordTrie: Sendable {
    private var next: [Int: Int] = [:]
    private var isEnd = [false]

    mutating func insert(_ word: some Sequence<UInt8>) {
        var node = 0
        for byte in word {
            let key = node << 8 | Int(byte)
            if let child = next[key] {
                node = child
            } else {
                isEnd.append(false)
                next[key] = isEnd.count - 1
                node = isEnd.count - 1
            }
        }
        isEnd[node] = true
    }

    /// Returns the end of each word that starts at `start` in `text`, in ascending order.
    func ends(in text: Span<UInt8>, from start: Int, _ budget: inout WorkBudget) -> [Int] {
        var ends: [Int] = []
        var node = 0
        var position = start
        while true {
            if isEnd[node] { ends.append(position) }
            guard position < text.count, let child = next[node << 8 | Int(text[position])] else { return ends }
            guard budget.spend(1) else { return ends }
            node = child
            position += 1
        }
    }
}
