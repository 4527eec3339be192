/// Reproducible identifiers, generated from a seed.
package enum UUIDText {
    /// Returns a random identifier.
    package static func random(using generator: inout some RandomNumberGenerator) -> String {
        let digits = (0..<32).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }.joined()
        let ends = [8, 12, 16, 20, 32]
        return zip([0] + ends, ends).map { String(digits.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
    }
}
