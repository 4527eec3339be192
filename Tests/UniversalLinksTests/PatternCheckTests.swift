import Testing
import UniversalLinks

/// The findings of the check for patterns and variables.
@Suite struct PatternCheckTests {
    @Test(arguments: [
        CheckedFile(#"{"/":"/clowns/*"}"#, #"{"/":"*.html"}"#, #"{"/":"?x"}"#, ##"{"#":"top"}"##),
        CheckedFile(#"{"/":"clowns/*"}"#, says: #"warning noLeadingSlash [0] → {"/":"/clowns/*"}"#),
        CheckedFile(#"{"/":"https://clowntown.example/clowns"}"#, says: #"error urlInPath [0] → {"/":"/clowns"}"#),
        CheckedFile(#"{"/":"/proxy/https://*"}"#, #"{"/":"*://*"}"#, #"{"/":"/a#b","percentEncoded":false}"#),
        CheckedFile(#"{"/":"https://clowntown.example"}"#, says: #"error urlInPath [0] → {"/":"/"}"#),
        CheckedFile(#"{"/":"/clowns#top"}"#, says: ##"error fragmentInPath [0] → {"/":"/clowns","#":"top"}"##),
        CheckedFile(
            #"{"/":"/clowns?ref=*"}"#,
            says: #"warning queryInPath [0] → {"/":"/clowns","?":{"ref":"?*"}}"#
        ),
        CheckedFile(paths: ##""/clowns#top""##, says: "error fragmentInPath details[0].paths[0]"),
        CheckedFile(paths: #""/clowns?ref=*""#, says: "warning queryInPath details[0].paths[0]"),
        CheckedFile(#"{"/":"clowntown.example/clowns"}"#, says: "warning noLeadingSlash [0]"),
        CheckedFile(#"{"/":"https://clowntown.example?ref=*"}"#, says: "error urlInPath [0]"),
        CheckedFile(
            #"{"/":"clowns","until":"2030"}"#,
            says: "warning noLeadingSlash [0]",
            "note unknownKey [0].until"
        ),
        CheckedFile(#"{"/":"/acts/????"}"#, #"{"/":"/act?/=x"}"#),
        CheckedFile(#"{"/":"/clowns/**"}"#, says: #"note doubleStar [0] → {"/":"/clowns/*"}"#),
        CheckedFile(#"{"?":{"ref":"*","new":"?*"}}"#, says: "note optionalItem [0]"),
    ])
    func pathsAreChecked(_ file: CheckedFile) {
        file.check()
    }

    @Test(arguments: [
        CheckedFile(
            paths: #""/clowns/*""#,
            #""NOT /acts/*""#,
            #""/acts/*""#,
            says: "error unreachable details[0].paths[2]"
        ),
        CheckedFile(paths: #""NOT  /x""#, #""*""#, says: #"error misspelledNot details[0].paths[0] → "NOT /x""#),
        CheckedFile(paths: #""NOT a/b""#, #""*""#, says: #"warning noLeadingSlash details[0].paths[0] → "NOT /a/b""#),
        CheckedFile(paths: #""NOT /c/**""#, #""*""#, says: #"note doubleStar details[0].paths[0] → "NOT /c/*""#),
        CheckedFile(
            paths: #""NOT /%c3%a9""#,
            #""*""#,
            says: #"warning lowercaseEscape details[0].paths[0] → "NOT /%C3%A9""#
        ),
        CheckedFile(
            paths: #""NOT /a b""#,
            #""*""#,
            says: #"error unencodedCharacter details[0].paths[0] → "NOT /a%20b""#
        ),
        CheckedFile(paths: #""not*""#, says: #"warning noLeadingSlash details[0].paths[0] → "/not*""#),
        CheckedFile(
            paths: #""not /clowns""#,
            #""*""#,
            says: #"error misspelledNot details[0].paths[0] → "NOT /clowns""#
        ),
        CheckedFile(
            paths: #""NOT/clowns""#,
            #""*""#,
            says: #"error misspelledNot details[0].paths[0] → "NOT /clowns""#
        ),
        CheckedFile(
            paths: #""NOT:  /clowns""#,
            #""*""#,
            says: #"error misspelledNot details[0].paths[0] → "NOT /clowns""#
        ),
    ])
    func pathExclusionsAreChecked(_ file: CheckedFile) {
        file.check()
    }

    @Test(arguments: [
        CheckedFile(
            #"{"/":"/café"}"#,
            says: #"error unencodedCharacter [0] → {"/":"/caf%C3%A9"}"#
        ),
        CheckedFile(
            #"{"?":{"ref":"a b"}}"#,
            says: #"error unencodedCharacter [0] → {"?":{"ref":"a%20b"}}"#
        ),
        CheckedFile(#"{"/":"/café","percentEncoded":false}"#),
        CheckedFile(#"{"/":"/%?1"}"#, #"{"/":"/%$(xdigit)$(xdigit)"}"#, #"{"/":"/x%4?"}"#),
        CheckedFile(#"{"?":{"é":"1"}}"#, says: #"error unencodedCharacter [0] → {"?":{"%C3%A9":"1"}}"#),
        CheckedFile(
            #"{"?":{"new":"1"}}"#,
            otherMembers: ##""defaults":{"/":"/$(drink)","#":"ü"},"##,
            says: ##"error unencodedCharacter defaults → {"/":"/$(drink)","#":"%C3%BC"}"##,
            "error undefinedVariable defaults"
        ),
        CheckedFile(#"{"/":"/caf%c3%A9"}"#, says: #"warning lowercaseEscape [0] → {"/":"/caf%C3%A9"}"#),
        CheckedFile(#"{"/":"/caf%c3%a9","caseSensitive":false}"#),
        CheckedFile(
            #"{"/":"/caf%C3%A9","percentEncoded":false}"#,
            says: #"warning escapeInDecodedPattern [0] → {"/":"/café","percentEncoded":false}"#
        ),
        CheckedFile(#"{"/":"/café"}"#, otherMembers: #""defaults":{"percentEncoded":false},"#),
    ])
    func escapesAreChecked(_ file: CheckedFile) {
        file.check()
    }

    @Test(arguments: [
        CheckedFile(#"{"/":"/$(drink)"}"#, says: "error undefinedVariable [0]"),
        CheckedFile(#"{"/":"/$(digits)"}"#, says: #"error undefinedVariable [0] → {"/":"/$(digit)"}"#),
        CheckedFile(##"{"#":"$(digit"}"##, says: ##"error unterminatedVariable [0] → {"#":"$(digit)"}"##),
        CheckedFile(##"{"#":"$(drink"}"##, says: "error unterminatedVariable [0]"),
        CheckedFile(#"{"/":"/$(food)"}"#, otherMembers: #""substitutionVariables":{"food":["pie"]},"#),
        CheckedFile(#"{"/":"/$(drink)$(drink)$(drink)"}"#, says: "error undefinedVariable [0]"),
        CheckedFile(
            #"{"/":"/$(food)"}"#,
            otherMembers: #""substitutionVariables":{"food":["café","%c3"]},"#,
            says:
                #"error unencodedCharacter substitutionVariables.food[0] → "caf%C3%A9""#,
            #"warning lowercaseEscape substitutionVariables.food[1] → "%C3""#
        ),
        CheckedFile(
            #"{"/":"/$(food)","percentEncoded":false}"#,
            otherMembers: #""substitutionVariables":{"food":["café","%C3","b%20c"]},"#,
            says: "warning escapeInDecodedPattern substitutionVariables.food[1]",
            #"warning escapeInDecodedPattern substitutionVariables.food[2] → "b c""#
        ),
        CheckedFile(
            #"{"/":"/x"}"#,
            otherMembers: #""substitutionVariables":{"food":["pie"]},"#,
            says: "note unusedVariable substitutionVariables.food"
        ),
        CheckedFile(
            #"{"/":"/$(food)"}"#,
            otherMembers: #""substitutionVariables":{"food":[]},"#,
            says: "warning emptyVariable substitutionVariables.food"
        ),
        CheckedFile(
            #"{"/":"/$(food)"}"#,
            otherMembers: #""substitutionVariables":{"food":["pie","$(cake)"]},"#,
            says: "error nestedVariable substitutionVariables.food[1]"
        ),
        CheckedFile(
            #"{"/":"/$(digit)"}"#,
            otherMembers: #""substitutionVariables":{"digit":["one"]},"#,
            says: "warning shadowedVariable substitutionVariables.digit"
        ),
        CheckedFile(
            #"{"/":"/x"}"#,
            otherMembers: #""substitutionVariables":{"a$":["pie"]},"#,
            says: #"error badVariableName substitutionVariables["a$"]"#
        ),
    ])
    func variablesAreChecked(_ file: CheckedFile) {
        file.check()
    }
}
