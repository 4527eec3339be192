internal import SchemaFiles
internal import WaypostSchema

extension Step {
    /// The step in words.
    var text: String {
        name ?? action?.text ?? expectation?.text ?? "a step"
    }
}

extension Action {
    /// The action in words.
    var text: String {
        switch self {
        case .send(let sendings): sendings.count == 1 ? sendings[0].text : "send a batch of \(sendings.count)"
        case .message(let message):
            message.from.map { "\($0) writes to \(message.device)" } ?? "\(message.device) writes"
        case .contact(let device, let contact): "contact \(contact.id) on \(device)"
        case .conversation(let device, let conversation): "conversation \(conversation.id) on \(device)"
        case .pin(let link): "pin \(link.text)"
        case .unpin(let link): "unpin \(link.text)"
        case .open(let opening): opening.summary
        case .tap(let tap): tap.text
        case .reply(let reply): "reply '\(reply.text)' on \(reply.device)"
        case .remove(let device, let link): "remove \(link) on \(device)"
        case .restore(let device, let link): "restore \(link) on \(device)"
        case .consent(let change): change.text
        case .app(let control): control.text
        case .callbacks(let question):
            "callbacks of \(question.app) on \(question.device): \(question.cause.rawValue), \(question.state.rawValue)"
        case .handoff(let request): "hand off \(request.app) from \(request.device) to \(request.to)"
        case .subscribe(let subscription): "subscribe \(subscription.device) to channel \(subscription.channel)"
        case .power(let device, let isOn): "Low Power Mode \(isOn ? "on" : "off") on \(device)"
        case .network(let device, let isOn): "network \(isOn ? "on" : "off") on \(device)"
        case .standing(let choice, let standing): "standing \(standing.rawValue) for \(choice.text)"
        case .uninstall(let uninstallation): uninstallation.text
        case .reinstall(let device, let app): "reinstall \(app) on \(device)"
        case .update(let device, let app): "update \(app) on \(device)"
        case .rotateToken(let choice): "another token for \(choice.text)"
        case .restoreBackup(let device, let source): "restore the backup of \(source) on \(device)"
        case .kill(let process): "kill \(process)"
        case .restart(let process): "restart \(process)"
        case .advance(let milliseconds): "advance \(DurationText.text(milliseconds))"
        case .fault(let choice, let fault): "fault \(fault.kind.rawValue) for \(choice.text)"
        case .run(let command): "run \(command.split(separator: "\n").first.map(String.init) ?? "")"
        case .snapshot(let device, let name): "snapshot \(name) of \(device)"
        case .reset(let device, let name): "reset \(device)\(name.map { " to \($0)" } ?? "")"
        case .event(let device, let event): "\(event.kind.rawValue) on \(device)"
        case .call(let call): "\(call.method ?? "GET") \(call.path) at \(call.at)"
        }
    }
}

extension Sending {
    fileprivate var text: String {
        let times = count.map { "\($0) × " } ?? ""
        let name = title ?? body ?? id?.rawValue
        let subject = name.map { "'\($0)'" } ?? payloadText
        let target = to?.names.joined(separator: ", ") ?? channel.map { "channel \($0)" } ?? ""
        return "send \(times)\(subject) to \(target)\(over == .provider ? " over the provider API" : "")"
    }
}

extension Sending {
    /// The notification by what its payload shows or does.
    fileprivate var payloadText: String {
        let aps = payload?["aps"]
        let alert = aps?["alert"]
        if let text = alert?.string ?? alert?["title"]?.string ?? alert?["body"]?.string { return "'\(text)'" }
        let parts = [pushType.flatMap { $0 == .alert ? nil : $0.rawValue }, aps?["event"]?.string].compactMap(\.self)
        return parts.isEmpty ? "a notification" : parts.joined(separator: " ")
    }
}

extension LinkReference {
    fileprivate var text: String {
        "\(link ?? message.map { "the links of \($0)" } ?? "the latest message") on \(device)"
    }
}

extension Opening {
    fileprivate var summary: String {
        if let notification, let action { return "choose \(action) of '\(notification)' on \(device)" }
        if let notification { return "open '\(notification)' on \(device)" }
        if let url { return "open \(url) on \(device)" }
        if let shortcut { return "quick action \(shortcut) on \(device)" }
        if let activity { return "continue '\(activity)' on \(device)" }
        return "open \(app?.rawValue ?? "an app") on \(device)"
    }
}

extension Tap {
    fileprivate var text: String {
        if let choose { return "choose '\(choose)' on \(device)" }
        if isOnShowMore { return "tap Show More\(app.map { " of \($0)" } ?? "") on \(device)" }
        if let item { return "choose \(item) in the menu of \(link ?? "") on \(device)" }
        return "tap the attribution of \(link ?? "") on \(device)"
    }
}

extension ConsentChange {
    fileprivate var text: String {
        let scope = app.map { " with \($0)" } ?? conversation.map { " from \($0)" } ?? ""
        if let sharing { return "sharing \(sharing.rawValue)\(scope) on \(device ?? "")" }
        if let automatic { return "automatic sharing \(automatic.rawValue)\(scope) on \(device ?? "")" }
        return "offer \(offer?.rawValue ?? "")\(scope) on \(device ?? "")"
    }
}

extension AppControl {
    fileprivate var text: String {
        if let attach { return "attach \(attach) to \(device)" }
        if let kill { return "kill \(kill) on \(device)" }
        return "view \(view ?? "")\(self.for.map { " for \($0)" } ?? "") on \(device)"
    }
}

extension Uninstallation {
    fileprivate var text: String {
        "uninstall \(app) on \(device)\(after.map { ", which senders learn after \($0)" } ?? "")"
    }
}

extension Expectation {
    /// The expectation in words, for a step without an action.
    fileprivate var text: String {
        let place = device.map { " on \($0)" } ?? ""
        let fields: [(String, Bool)] = [
            ("shelf", shelf != nil), ("attribution", attribution != nil), ("message", message != nil),
            ("offered", offered != nil),
            ("notification", notification != nil), ("delivered once", delivered != nil), ("never", never != nil),
            ("sender", sender != nil), ("answer", answer != nil), ("scene", scene != nil), ("created", created != nil),
            ("reason", reason != nil), ("destination", destination != nil), ("conversation", conversation != nil),
            ("choices", choices != nil), ("menu", menu != nil),
            ("shown", shown != nil), ("sound", sound != nil), ("badge", badge != nil),
            ("reloads", reloads != nil), ("thread", thread != nil), ("launched", launched != nil),
            ("rejected", rejected != nil), ("exit", exit != nil), ("output", output != nil),
            ("visible", visible != nil),
            ("deliveries", deliveries != nil), ("calls", calls != nil), ("notCalled", notCalled != nil),
            ("findings", findings != nil), ("minimumSource", minimumSource != nil), ("tokens", tokens != nil),
        ]
        let names = fields.filter(\.1).map(\.0)
        return "expect \(names.isEmpty ? "nothing" : names.joined(separator: ", "))\(place)"
    }
}
