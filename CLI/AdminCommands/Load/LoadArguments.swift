internal import ArgumentParser
internal import Fleets
internal import LoadTesting
internal import SchemaFiles

/// The options of a load test on the command line, as `LoadOption` declares them.
///
/// The parser finds options by reflection, so the mirror of this type has one for each case.
struct LoadArguments: ParsableArguments, CustomReflectable {
    private var options = LoadOptions()

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: LoadOption.self)
        for option in LoadOption.allCases {
            switch option.declaration.form {
            case .flag:
                let flag = try container.decode(Flag<Bool?>.self, forKey: option).wrappedValue
                options.strings[option] = flag.map { ["\($0)"] }
            case .list:
                let list = try container.decode(Option<[String]>.self, forKey: option).wrappedValue
                options.strings[option] = list.isEmpty ? nil : list
            default:
                let string = try container.decode(Option<String?>.self, forKey: option).wrappedValue
                options.strings[option] = string.map { [$0] }
            }
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: LoadOption.allCases.map { (label: $0.rawValue, value: $0.argument) })
    }

    /// Returns the settings of a profile, if any, except those that the command line replaces.
    ///
    /// - Throws: `FileFindings` for a profile or a behavior, and `LoadOptions.Problem` for an option.
    func settings(_ profile: String?) throws -> LoadSettings {
        var options = self.options
        if let behavior = options.strings[.behavior]?.last {
            options.behavior = try FleetBehavior(file: behavior, .fleet())
        }
        if let profile {
            do {
                options = options.completed(by: try LoadProfile(file: profile, try FileSchema.loadProfile()).options)
            } catch let error as FileFindings {
                throw CheckedKind.load.explaining(error, of: profile)
            }
        }
        return try LoadSettings(options)
    }
}

extension LoadOption: CodingKey {
    /// The argument for the parser.
    fileprivate var argument: Any {
        let (form, summary, valueName) = declaration
        let help = ArgumentHelp("\(summary)", valueName: valueName)
        switch form {
        case .flag: return Flag<Bool?>(name: name, inversion: .prefixedNo, help: help)
        case .list: return Option<[String]>(wrappedValue: [], name: name, help: help)
        default: return Option<String?>(name: name, help: help)
        }
    }

    private var name: NameSpecification {
        .customLong(rawValue)
    }
}
