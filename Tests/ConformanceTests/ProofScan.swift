/// A scanner for the tests and suites of a source file that have the trait `.proves("…")`.
struct ProofScan {
    private let tokens: [SwiftToken]
    private let path: String
    private var place = 0
    private var depth = 0

    /// The open types, each with the depth of its members.
    private var types: [(name: String, depth: Int)] = []

    /// The type that was declared but not opened yet.
    private var announced: String?

    /// The numbers whose test or suite follows.
    private var pending: [String] = []
    private var proofs: [Proof] = []

    private init(_ text: String, at path: String) {
        tokens = SwiftScanner.tokens(of: text)
        self.path = path
    }

    /// Returns the proofs in the source `text` of the file at `path`.
    static func proofs(in text: String, at path: String) -> [Proof] {
        // Most files have no proofs and need no tokens.
        guard text.contains("proves") else { return [] }
        var scan = ProofScan(text, at: path)
        while scan.place < scan.tokens.count { scan.step() }
        return scan.proofs
    }

    private mutating func step() {
        let token = tokens[place]
        let isMember = place > 0 && tokens[place - 1] == .mark(".")
        place += 1
        switch token {
        case .mark("{"): open()
        case .mark("}"): close()
        case .word("proves") where isMember: collect()
        case .word("func") where !isMember: name(words(1))
        case .word("struct"), .word("class"), .word("enum"), .word("actor"), .word("extension"):
            if !isMember { announce(words(.max)) }
        default: break
        }
    }

    private mutating func open() {
        depth += 1
        if let name = announced { types.append((name, depth)) }
        announced = nil
    }

    private mutating func close() {
        if types.last?.depth == depth { types.removeLast() }
        depth -= 1
    }

    /// Collects the numbers in the parentheses that follow.
    private mutating func collect() {
        while place < tokens.count, tokens[place] != .mark(")") {
            if case .literal(let number) = tokens[place] { pending.append(number) }
            place += 1
        }
    }

    /// Announces a type that is about to be opened.
    ///
    /// Pending numbers belong to it as a suite.
    private mutating func announce(_ words: [String]) {
        // `class func` and `class var` declare members, not types.
        guard let first = words.first, !["func", "var", "let"].contains(first) else { return }
        announced = words.joined(separator: "/")
        guard !pending.isEmpty else { return }
        name(words)
    }

    /// Assigns the pending numbers to the declaration named `words`.
    private mutating func name(_ words: [String]) {
        let test = (types.map(\.name) + words).joined(separator: "/")
        proofs += pending.map { Proof(number: $0, test: test, path: path) }
        pending = []
    }

    /// Returns up to `limit` following words that periods join.
    private func words(_ limit: Int) -> [String] {
        var words: [String] = []
        var next = place
        while words.count < limit, next < tokens.count, case .word(let word) = tokens[next] {
            words.append(word)
            guard next + 1 < tokens.count, tokens[next + 1] == .mark(".") else { break }
            next += 2
        }
        return words
    }
}
