/// The options of the program.
struct Options {
    static let usage = """
        peer-benchmarks [options]

          --only TEXT          measure only the lines whose names contain the text
          --rounds COUNT       how often each line is measured (3)
          --scale FACTOR       the factor for numbers of items and durations (1)
          --acks KIND          how devices acknowledge: session (default) or requests
          --json FILE          write all results to the file
          --check FILE         fail if a ratio is worse than the one in the file by 15 % and outside of its spread
          --store FILE         write the ratios to the file
        """

    var only = ""
    var rounds = 3
    var scale = 1.0
    var acknowledgements = DeviceSession.Acknowledgements.session
    var json: String?
    var check: String?
    var store: String?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure(Self.usage) }
            switch option {
            case "--only": only = value
            case "--rounds": rounds = Int(value) ?? rounds
            case "--scale": scale = Double(value) ?? scale
            case "--acks": acknowledgements = DeviceSession.Acknowledgements(rawValue: value) ?? acknowledgements
            case "--json": json = value
            case "--check": check = value
            case "--store": store = value
            default: throw Failure(Self.usage)
            }
        }
    }

    /// Returns a number of items, scaled, that is a multiple of the size of a batch.
    func items(_ count: Int) -> Int {
        max(1, Int(Double(count) * scale) / Item.batch) * Item.batch
    }
}
