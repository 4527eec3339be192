/// Returns the credential of an `authorization` header such as `Bearer <token>`, or `nil` if it has none.
///
/// The scheme is case-insensitive (RFC 9110, section 11.1).
package func bearerToken(in authorization: String?) -> Substring? {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let words = authorization?.utf8.split(maxSplits: 1, whereSeparator: isBlank), words.count == 2,
        Substring(words[0]).lowercased() == "bearer"
    else { return nil }
    let token = words[1].drop(while: isBlank)
    return token.isEmpty ? nil : Substring(token)
}
