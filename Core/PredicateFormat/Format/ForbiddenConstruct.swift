/// A construct of the language that an activation condition may not use.
///
/// Apple's restrictions are those of the talk (targeting content with multiple windows) and of
/// `UISceneActivationConditions`: no block, no selector, no regular expression, and no key path other than `SELF`. The
/// others are ours: nothing that is more than a comparison of `SELF` with constants.
enum ForbiddenConstruct {
    case regularExpression
    case keyPath(String)
    case element(of: String)
    case selector(String)
    case function(String)
    case block
    case arithmetic(String)
    case variable(String)
    case assignment(String)
    case qualifier(String)
    case typeIdentifierOperator(String)
    case option(Character)
    case placeholderWithoutArgument(String)

    /// A description of what was found, what is accepted instead, and who restricts it, with the reason.
    var message: String {
        "\(finding) (\(isRestrictedByApple ? "Apple's restriction" : "Waypost's restriction, not Apple's"): \(reason))"
    }

    /// Whether Apple's documentation or the talk names the restriction.
    private var isRestrictedByApple: Bool {
        switch self {
        case .regularExpression, .keyPath, .selector, .block: true
        case .element, .function, .arithmetic, .variable, .assignment, .qualifier, .typeIdentifierOperator, .option,
            .placeholderWithoutArgument:
            false
        }
    }

    /// The reason for the restriction.
    private var reason: String {
        switch self {
        case .regularExpression: "its evaluation may take unlimited time"
        case .keyPath: "conditions compare the content itself, and not its properties"
        case .element: "SELF is one string, without elements"
        case .selector, .block: "code cannot leave its app"
        case .function: "a condition only compares; a function is more, and the device cannot call the app's"
        case .arithmetic: "a condition only compares; a computation is a function in another form"
        case .variable, .assignment: "nothing gives a variable its value when the device evaluates the condition"
        case .qualifier: "a qualifier needs a collection, and SELF is one string"
        case .typeIdentifierOperator: "the device has no registry of the app's types"
        case .option("l"): "the app's locale cannot leave its app"
        case .option: "its meaning is not documented"
        case .placeholderWithoutArgument: "a condition is packaged with its arguments when it is set"
        }
    }

    /// A description of what was found, and what is accepted instead.
    private var finding: String {
        switch self {
        case .regularExpression:
            """
            found MATCHES, a regular expression: activation conditions cannot use one; LIKE with the wildcards * and ? \
            is accepted
            """
        case .keyPath(let path):
            """
            found the key path '\(path)': activation conditions can use no key path but SELF; \
            \(Self.quotingHint(for: path))
            """
        case .element(let operand):
            "found an element of \(operand): activation conditions can use SELF, and no element of it"
        case .selector(let name):
            """
            found the function \(name), which calls a selector: activation conditions cannot; SELF compared with a \
            constant is accepted
            """
        case .function(let name):
            """
            found the function \(name): activation conditions cannot call functions; SELF compared with a constant is \
            accepted
            """
        case .block:
            """
            found BLOCKPREDICATE, which represents code: a block cannot leave its app; SELF compared with a constant \
            is accepted
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
            "found the aggregate qualifier \(word): activation conditions cannot use one; SELF IN {…} is accepted"
        case .typeIdentifierOperator(let word):
            """
            found \(word), which needs a registry of types: activation conditions compare strings; == or IN is accepted
            """
        case .option("l"):
            "found the option 'l', which needs a locale; c, d and n are accepted"
        case .option(let letter):
            "found the option '\(letter)', which is private to the platform; c, d and n are accepted"
        case .placeholderWithoutArgument(let spelling):
            "found '\(spelling)' without an argument for it; a constant is accepted, or the format with its arguments"
        }
    }

    private static func quotingHint(for path: String) -> String {
        let name = path.hasPrefix("#") ? String(path.dropFirst()) : path
        guard name.utf8.allSatisfy(PredicateLexer.isWordCharacter) else { return "SELF is accepted" }
        return "SELF is accepted, or the string \"\(name)\" in quotation marks"
    }
}
