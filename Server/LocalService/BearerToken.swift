/// Returns the credential of an `authorization` header such as `Bearer <token>`, or `nil` if it has none.
///
/// The scheme is case-insensitive (RFC 9110, section 11.1).
package func bearerToken(in authorization: String?) -> Substring? {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    guard let words = authorization?.split(maxSplits: 1, whereSeparator: isBlank), words.count == 2,
        words[0].lowercased() == "bearer"
    else { return nil }
    let token = words[1].drop(while: isBlank)
    return token.isEmpty ? nil : token
}
