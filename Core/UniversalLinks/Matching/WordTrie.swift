/// A trie of words, which finds all words at a position of a text in one pass.
struct WordTrie: Sendable {
    private var transitions: [Int: Int] = [:]
    private var isWordEnd = [false]

    mutating func insert(_ word: some Sequence<UInt8>) {
        var node = 0
        for byte in word {
            let key = node << 8 | Int(byte)
            if let child = transitions[key] {
                node = child
            } else {
                isWordEnd.append(false)
                transitions[key] = isWordEnd.count - 1
                node = isWordEnd.count - 1
            }
        }
        isWordEnd[node] = true
    }

    /// Returns the end of each word that starts at `start` in `text`, in ascending order.
    func ends(in text: Span<UInt8>, from start: Int, _ budget: inout WorkBudget) -> [Int] {
        var wordEnds: [Int] = []
        var node = 0
        var position = start
        while true {
            if isWordEnd[node] { wordEnds.append(position) }
            guard position < text.count, let child = transitions[node << 8 | Int(text[position])] else {
                return wordEnds
            }
            guard budget.spend(1) else { return wordEnds }
            node = child
            position += 1
        }
    }
}
