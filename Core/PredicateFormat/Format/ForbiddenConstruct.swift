/// A construct of the language that an activation condition may not use.
///
/// The restrictions are those of the talk (targeting content with multiple windows) and of
/// `UISceneActivationConditions`: no block, no regular expression, no key path other than `SELF`; and nothing that only
/// an app could evaluate.
enum ForbiddenConstruct {
    case regularExpression
    case keyPath(String)
    case element(of: String)
    case function(String)
    case block
    case arithmetic(String)
    case variable(String)
    case assignment(String)
    case qualifier(String)
    case typeIdentifierOperator(String)
    case option(Character)
    case placeholderWithoutArgument(String)

    /// A description of what was found, and what is accepted instead.
    var message: String {
        switch self {
        case .regularExpression:
            """
            found MATCHES, a regular expression: activation conditions cannot use one, as it may take unlimited time; \
            LIKE with the wildcards * and ? is accepted
            """
        case .keyPath(let path):
            """
            found the key path '\(path)': activation conditions can use no key path but SELF; \
            \(Self.quotingHint(for: path))
            """
        case .element(let operand):
            "found an element of \(operand): activation conditions can use no key path but SELF, and no element of it"
        case .function(let name):
            """
            found the function \(name): activation conditions cannot call functions; SELF compared with a constant is \
            accepted
            """
        case .block:
            """
            found BLOCKPREDICATE, which represents code: a block cannot leave its app, and a format \
            cannot express one; SELF compared with a constant is accepted
            """
        case .arithmetic(let sign):
            """
            found the arithmetic operator '\(sign)': activation conditions cannot compute; SELF and constants are \
            accepted, and between comparisons, && and || are accepted
            """
        case .variable(let name):
            """
            found the variable '$\(name.excerpt)', which has no value in an activation condition; a constant is accepted
            """
        case .assignment(let name):
            """
            found an assignment to '$\(name.excerpt)': activation conditions cannot store values; a constant is accepted
            """
        case .qualifier(let word):
            "found the aggregate qualifier \(word): SELF is one string, not a collection; SELF IN {…} is accepted"
        case .typeIdentifierOperator(let word):
            """
            found \(word), which needs a registry of types: activation conditions compare strings; == or IN is accepted
            """
        case .option("l"):
            """
            found the option 'l': a condition is evaluated outside its app, where there is no locale; c, d and n are \
            accepted
            """
        case .option(let letter):
            "found the option '\(letter)', which is private to the platform; c, d and n are accepted"
        case .placeholderWithoutArgument(let spelling):
            "found '\(spelling)' without an argument for it; a constant is accepted"
        }
    }

    private static func quotingHint(for path: String) -> String {
        let name = path.hasPrefix("#") ? String(path.dropFirst()) : path
        guard name.utf8.allSatisfy(PredicateLexer.isWordCharacter) else { return "SELF is accepted" }
        return "SELF is accepted, or the string \"\(name)\" in quotation marks"
    }
}
