/// The steps of a scenario as a reader sees them.
enum ScenarioText {
    /// Returns the text of each step, with the comment before it, of a file with the nonblank lines `lines`.
    static func steps(in lines: [String]) -> [String] {
        var steps: [String] = []
        var comment = ""
        for line in lines.drop(while: { $0 != "steps:" }).dropFirst() {
            if line.hasPrefix("  #") {
                comment += line + "\n"
            } else if line.hasPrefix("  - ") {
                steps.append(comment + line)
                comment = ""
            } else if let last = steps.indices.last {
                steps[last] += "\n" + line
            }
        }
        return steps
    }
}
