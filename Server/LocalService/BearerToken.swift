/// Returns the credential of an `authorization` header such as `Bearer <token>`; `nil` if it has none.
///
/// Schemes are the same in upper and lower case (RFC 9110, section 11.1).
package func bearerToken(in authorization: String?) -> Substring? {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    guard let words = authorization?.split(maxSplits: 1, whereSeparator: isBlank), words.count == 2,
        words[0].lowercased() == "bearer"
    else { return nil }
    let token = words[1].drop(while: isBlank)
    return token.isEmpty ? nil : token
}
