import BatchItems
import JSONScanning
import Testing

/// RFC 8259, section 6.
@Suite struct JSONNumberTests {
    static let malformed = [
        InvalidJSONCase(#"{"a":‸+1}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":‸.5}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":-‸.5}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1.‸}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1.‸e5}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1.‸.2}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1.2‸.3}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":0‸1}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":-0‸1}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":0‸0.5}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":-‸}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":-‸-1}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":-‸ 1}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1e‸}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1E+‸}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1e-‸,"b":0}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1e+‸-1}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1e5‸.5}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":1e5‸e5}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":0‸x10}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":1‸_000}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":1‸n}"#, expecting: "',' or '}'"),
        InvalidJSONCase(#"{"a":‸１}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":‸NaN}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":-‸NaN}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":‸Infinity}"#, expecting: "a value"),
        InvalidJSONCase(#"{"a":-‸Infinity}"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":-‸"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1.‸"#, expecting: "a digit"),
        InvalidJSONCase(#"{"a":1e‸"#, expecting: "a digit"),
        InvalidJSONCase(#"{"priority":1.‸}"#, expecting: "a digit"),
    ]

    static let beyondDouble = [
        "1e309", "-1e309", "1.8e308", "1E+400", "1e99999999999999999999", "0.1e310",
        String(repeating: "9", count: 309), "-1" + String(repeating: "0", count: 309),
        "1" + String(repeating: "0", count: 309) + ".5",
    ]

    static let accepted = [
        "0", "-0", "-0.0", "0e0", "-0E-0", "1", "10", "-1", "1.0", "0.5", "1e5", "1E5", "1e+5", "1E-5", "1.50e007",
        "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1.7976931348623157e308", "5e-324",
        "1e-400", "-1e-99999999999999999999", "0e99999999999999999999", "1" + String(repeating: "0", count: 308),
        "0." + String(repeating: "0", count: 400) + "1", "3." + String(repeating: "14", count: 300),
    ]

    @Test(arguments: malformed)
    func malformedNumberIsRefused(_ example: InvalidJSONCase) {
        example.expectError()
    }

    @Test(arguments: beyondDouble)
    func numberBeyondDoubleIsRefused(number: String) {
        InvalidJSONCase(#"{"a":‸\#(number)}"#, .numberOutOfRange).expectError()
        InvalidJSONCase(#"{"payload":{"a":[0,‸\#(number)]}}"#, .numberOutOfRange).expectError()
        InvalidJSONCase(#"{"priority":‸\#(number)}"#, .numberOutOfRange).expectError()
    }

    @Test(arguments: accepted)
    func numberWithinDoubleIsSkipped(number: String) {
        #expect(scanError(item(withUnknown: number)) == nil)
    }
}
