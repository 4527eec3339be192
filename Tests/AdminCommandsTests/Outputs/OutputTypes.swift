import GatewayClient
import SceneCallbacks
import WaypostSchema

@testable import AdminCommands

extension OutputType {
    /// The commands whose output another page describes.
    static let elsewhere = [
        "app run": "agent.md", "demo": "../README.md", "device draw": "notifications.md",
        "fleet run": "load-testing.md", "load report": "load-testing.md",
        "load run": "load-testing.md", "scenario run": "scenarios.md",
    ]

    /// The objects that the other commands print.
    static let all = ofTheSchema + others

    private static let ofTheSchema: [Self] = [
        Self("AppDescription", listedBy: ["device scenes"]),
        Self("AppSettings", listedBy: ["storage list"], printedBy: ["storage show", "storage set"]),
        Self("AppStatus", listedBy: ["device apps"]),
        Self("AppToken", listedBy: ["device tokens"]),
        Self("AssociationFinding", listedBy: ["links check"]),
        Self("AttributionReport", printedBy: ["attribution render", "device attribution"]),
        Self("BackupRestoration", printedBy: ["device restore-backup"]),
        Self("BatchReceipt", printedBy: ["send"]),
        Self("BatchStatus", printedBy: ["batches show", "batches wait"]),
        Self("ClockReading", printedBy: ["clock show", "clock advance"]),
        Self("ConnectionFaultReceipt", printedBy: ["faults connections"]),
        Self("Contact", listedBy: ["device contacts"]),
        Self(
            "DeviceEffect",
            listedBy: [
                "device event", "device events", "device action", "device consent <choice>",
                "device airplane", "device pin", "device focus", "device lock", "device home", "device setting",
                "device receive-message", "device save-contact", "device offers --app <app> --answer <answer>",
                "device menu <url> --choose <item>",
            ]
        ),
        Self("ContentMenuReport", printedBy: ["device menu"]),
        Self("DeviceNotification", listedBy: ["device notifications"]),
        Self("DeviceStatus", listedBy: ["device list"], printedBy: ["device fork"]),
        Self("FoundLink", listedBy: ["device search"]),
        Self("Health", printedBy: ["health"]),
        Self("InboxEntry", listedBy: ["inbox list"]),
        Self("InboxPurge", printedBy: ["inbox purge"]),
        Self("LinkDecision", listedBy: ["links match", "device explain <url>"]),
        Self(
            "LinkExplanation",
            listedBy: ["device explain <url> --shelves"],
            printedBy: ["device explain <url> --app"]
        ),
        Self("LiveActivity", listedBy: ["device live-activities"]),
        Self("ListedDevice", listedBy: ["tokens list"]),
        Self("Message", listedBy: ["device messages"]),
        Self("NamespaceSummary", listedBy: ["namespaces list"]),
        Self("NotificationDecision", printedBy: ["device explain-notification"]),
        Self("NotificationList", printedBy: ["device notification-center"]),
        Self(
            "NotificationRecord",
            listedBy: ["notifications list", "notifications follow"],
            printedBy: ["notifications show", "notifications wait"]
        ),
        Self("OfferDecision", listedBy: ["device offers"]),
        Self("OpenStream", listedBy: ["streams list", "streams disconnect"]),
        Self("OpenedScene", printedBy: ["device open <app>", "device open <notification>"]),
        Self("OpenedURL", printedBy: ["device open <url>"]),
        Self("PredicateAnswer", listedBy: ["predicate eval"]),
        Self("ProviderKey", listedBy: ["keys list"], printedBy: ["keys create", "keys import"]),
        Self("ProviderTrialResult", listedBy: ["provider test"]),
        Self(
            "RegisteredDevice",
            printedBy: [
                "tokens show", "tokens topics", "tokens power", "tokens standing", "tokens rotate",
            ]
        ),
        Self("SceneDecision", listedBy: ["scenes select"], printedBy: ["device explain --target-content-id"]),
        Self("ScriptedFault", listedBy: ["faults list"], printedBy: ["faults add"]),
        Self("SharingSettings", printedBy: ["device consent"]),
        Self("ShelfReport", printedBy: ["device shelf"]),
    ]

    private static let others: [Self] = [
        Self(
            "Backup",
            printedBy: ["backup"],
            BackupCommand.Result(file: "b", bytes: 1, sha256: "0"),
            [
                Field("bytes", "integer", "The number of bytes of the file."),
                Field("file", "string", "The path of the file."),
                Field("sha256", "string", "The SHA-256 digest of the file, in hexadecimal digits."),
            ]
        ),
        Self(
            "Check",
            listedBy: ["doctor"],
            HealthCheck.problem("a", "b", remedy: "c"),
            [
                Field("check", "string", "The subject of the check."),
                Field("finding", "string", "The finding, for people."),
                Field("remedy", "string", "What to do; absent if there is no problem."),
                Field("result", "string", "`ok`, `problem`, or `skipped` if it could not be made."),
            ]
        ),
        Self(
            "CallbackSequence",
            listedBy: ["callbacks"],
            printedBy: ["callbacks --cause <cause> --state <state>"],
            CallbackSequence(for: .icon, in: .notRunning, of: AppImplementation()),
            [
                Field(
                    "calls",
                    "list of objects",
                    """
                    The calls, in order: `object`, `scene`, `call`, `argument` and `part` of the event, `state` after, \
                    `reason`, `condition`, `source`, `order` (the source of its place), `since`, `until`, `isHandled`.
                    """
                ),
                Field("cause", "string", "The cause of the event."),
                Field("deliveries", "list of strings", "The calls with the event that the app handles, or may handle."),
                Field("fate", "string", "`once`, `twice`, `lost`, `unknown`, or `noEvent`."),
                Field("findings", "list of objects", "The mistakes of the app: `code`, `message` and `source`."),
                Field("lifeCycle", "string", "The life cycle of the app, as in an app file."),
                Field(
                    "notCalled",
                    "list of objects",
                    "The calls that one may expect in vain: `object`, `call`, `option`, `reason` and `source`."
                ),
                Field(
                    "state",
                    "string",
                    """
                    The state of the app and its scene before. A cause that cannot occur in it has only `cause`, \
                    `lifeCycle`, `state` and `cannotHappen`, the reason.
                    """
                ),
            ]
        ),
        Self(
            "Context",
            listedBy: ["context list"],
            printedBy: ["context show"],
            NamedContext(name: "a", isUsed: true, settings: ContextSettings()),
            [
                Field("isUsed", "boolean", "Whether commands use it."), Field("name", "string", "Its name."),
                Field("settings", "object", "Its settings, as in the settings file."),
            ]
        ),
        Self(
            "CreatedDevice",
            listedBy: ["tokens create"],
            CreatedDevice(name: "a", credential: DeviceCredential(token: "b", secret: "c")),
            [
                Field("name", "string", "The name of the device."),
                Field("secret", "string", "The secret with which it connects; only this output has it."),
                Field("token", "string", "The token, to which providers send."),
            ]
        ),
        Self(
            "Channel",
            listedBy: ["channels list"],
            printedBy: ["channels create", "channels show"],
            ListedChannel(channel: "a", configuration: nil),
            [Field("channel", "string", "The identifier of the channel, in base64.")]
        ),
        Self(
            "ExplainedNotification",
            printedBy: ["device explain <notification>"],
            ExplainedNotification(
                notification: NotificationDecision(presentation: .nowhere, gates: [], explanation: "a"),
                scene: SceneDecision(outcome: .activate, reason: .can, explanation: "a", findings: [], trace: [])
            ),
            [
                Field(
                    "notification",
                    "[NotificationDecision](#notificationdecision)",
                    "Whether it was shown, and why; absent if the device does not know it any more."
                ),
                Field("scene", "[SceneDecision](#scenedecision)", "The scene that opens if the user chooses it."),
            ]
        ),
        Self(
            "JournalEffect",
            listedBy: ["replay --effects"],
            JournalEffect(
                at: Timestamp(milliseconds: 0),
                line: 1,
                event: .system(.timePassed),
                effect: .scene(.nothingToOpen("a"))
            ),
            [
                Field("at", "integer", "The time of the event."),
                Field("effect", "[DeviceEffect](#deviceeffect)", "The effect."),
                Field("event", "string", "The type of the event."),
                Field(
                    "line",
                    "integer",
                    "The line of the journal, from 1; absent if only time passed after the last one."
                ),
            ]
        ),
        Self(
            "CheckedFile",
            listedBy: ["check"],
            try? CheckedFile("/nowhere", kind: .payload, variables: []),
            [
                Field("file", "string", "The path."),
                Field(
                    "findings",
                    "list of objects",
                    "The problems: `file`, `line`, `column`, `severity` (`error`, `warning` or `note`) and `message`."
                ),
                Field("kind", "string", "The kind of the file; absent if it is not known."),
            ]
        ),
        Self(
            "DeviceOverview",
            printedBy: ["replay"],
            nil,
            [
                Field("apps", "list of objects", "The state of the highlights of each app."),
                Field("clock", "integer", "The time on the device."),
                Field("name", "string", "The name of the device; absent if the journal has none."),
                Field("nextDeadline", "integer", "The next time when something changes without an event."),
            ]
        ),
        Self(
            "ListedTrial",
            listedBy: ["provider test --list"],
            ListedTrial(name: "a", rule: "b", source: "c", isQuick: true, movesClock: false),
            [
                Field("isQuick", "boolean", "Whether the quick set has the trial."),
                Field("movesClock", "boolean", "Whether the clock of the provider moves, with faketime."),
                Field("name", "string", "The name of the trial."), Field("rule", "string", "The rule, in a sentence."),
                Field("source", "string", "The page of Apple, or the report, that has the rule."),
            ]
        ),
        Self(
            "PayloadFinding",
            listedBy: ["payload check"],
            PayloadFileFinding(
                file: "a",
                finding: PayloadFinding(line: 1, column: 1, severity: .error, code: "b", message: "c")
            ),
            [
                Field("code", "string", "The kind of finding, or the reason of APNs for an error."),
                Field("column", "integer", "The column, from 1, in bytes."), Field("file", "string", "The file."),
                Field("line", "integer", "The line, from 1."), Field("message", "string", "The finding, for people."),
                Field("severity", "string", "`error`, `warning` or `note`."),
            ]
        ),
        Self(
            "Series",
            listedBy: ["metrics"],
            MetricsDigest("a_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n").series.first,
            [
                Field("labels", "object", "The labels, each a string."),
                Field("name", "string", "The name of the metric ([metrics.md](metrics.md))."),
                Field("p50", "number", "The limit below which half of the observations of a histogram are."),
                Field("p99", "number", "The limit below which 99 of 100 observations of a histogram are."),
                Field("value", "number", "The value, or the number of observations of a histogram."),
            ]
        ),
        Self(
            "Rates",
            listedBy: ["top"],
            nil,
            [
                Field("accepted, sent, acknowledged", "number", "The notifications each second."),
                Field("rejected", "object", "The rejected notifications each second, by reason."),
                Field("ended", "object", "The notifications that entered another final state each second, by state."),
                Field("stored, unacknowledged", "integer", "The notifications in inboxes, and those that were sent."),
                Field("streams", "integer", "The open event streams."),
                Field(
                    "intake, queue",
                    "integer",
                    "The batches that are being read, and the items that wait for a commit."
                ),
                Field("commit", "number", "The mean time of a commit in milliseconds; absent if there was none."),
                Field("processors, memory", "number", "The processor time in processors, and the memory in bytes."),
            ]
        ),
        Self(
            "Version",
            printedBy: ["version"],
            Version.Report(version: "0.2.0", commit: "0dd4df0", schema: 1, build: "release"),
            [
                Field("build", "string", "`debug` or `release`."),
                Field(
                    "commit",
                    "string",
                    "The commit from which the programs were installed; absent if they were not."
                ),
                Field("schema", "integer", "The version of the schema."),
                Field("version", "string", "The version of the program."),
            ]
        ),
        Self("File", listedBy: ["manual"], nil, [Field("—", "string", "The name of a file that was written.")]),
    ]
}
