// Java's HttpClient, which is no APNs client: a client for each team, and a new provider token every 40 minutes, as Apple
// asks.
import java.net.*;
import java.net.http.*;
import java.nio.file.*;
import java.security.*;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.Pattern;

public class HttpClientProgram {
    record ProviderToken(long time, String text) {}

    static final Map<String, HttpClient> clients = new HashMap<>();
    static final Map<String, ProviderToken> tokens = new HashMap<>();
    static final Map<String, Long> gone = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        var pushes = new ArrayList<CompletableFuture<?>>();
        for (var input = new Scanner(System.in, "UTF-8"); input.hasNextLine();) pushes.add(send(input.nextLine()));
        for (var push : pushes) push.handle((answer, error) -> null).join();
    }

    static CompletableFuture<?> send(String line) throws Exception {
        var payload = object(line, line.indexOf("\"payload\":") + 10);
        var message = line.replace(payload, "{}");
        var token = text(message, "token");
        if (number(message, "registeredAt") * 1000 <= gone.getOrDefault(token, 0L)) {
            return CompletableFuture.completedFuture(null);
        }
        var now = System.currentTimeMillis() / 1000;
        var request = HttpRequest.newBuilder(URI.create(System.getenv("WAYPOST_URL") + "/3/device/" + token))
            .header("authorization", "bearer " + bearer(message, now)).header("apns-topic", text(message, "topic"))
            .header("apns-push-type", text(message, "pushType")).POST(HttpRequest.BodyPublishers.ofString(payload));
        if (text(message, "pushType").equals("background")) request.header("apns-priority", "5");
        if (text(message, "expiration").equals("now")) request.header("apns-expiration", "0");
        if (text(message, "expiration").equals("hour")) request.header("apns-expiration", "" + (now + 3600));
        var client = clients.computeIfAbsent(text(message, "teamID"), team -> HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2).proxy(HttpClient.Builder.NO_PROXY).build());
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()).whenComplete((answer, error) -> {
            if (error != null) System.err.println(text(message, "marker") + ": " + error);
            if (answer != null && answer.statusCode() == 410) {
                var since = number(answer.body(), "timestamp");
                gone.put(token, since == 0 ? System.currentTimeMillis() : since);
            }
        });
    }

    static String bearer(String message, long now) throws Exception {
        var key = text(message, "keyID");
        if (!tokens.containsKey(key) || now - tokens.get(key).time >= 2400) {
            var encoder = Base64.getUrlEncoder().withoutPadding();
            var signed = encoder.encodeToString(("{\"alg\":\"ES256\",\"kid\":\"" + key + "\"}").getBytes()) + "."
                + encoder.encodeToString(("{\"iss\":\"" + text(message, "teamID") + "\",\"iat\":" + now + "}").getBytes());
            var file = Files.readString(Path.of(text(message, "keyFile"))).replaceAll("-----.*-----|\\s", "");
            var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(KeyFactory.getInstance("EC").generatePrivate(
                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(file))));
            signature.update(signed.getBytes());
            tokens.put(key, new ProviderToken(now, signed + "." + encoder.encodeToString(signature.sign())));
        }
        return tokens.get(key).text;
    }

    // Java has no parser for JSON.
    static String text(String json, String name) {
        var match = Pattern.compile("\"" + name + "\" *: *\"([^\"]*)\"").matcher(json);
        return match.find() ? match.group(1).replace("\\/", "/") : "";
    }

    static long number(String json, String name) {
        var match = Pattern.compile("\"" + name + "\" *: *(\\d+)").matcher(json);
        return match.find() ? Long.parseLong(match.group(1)) : 0;
    }

    // Returns the object that starts at the next brace.
    static String object(String json, int start) {
        var depth = 0;
        var isText = false;
        for (var end = json.indexOf('{', start); end < json.length(); end++) {
            var character = json.charAt(end);
            if (character == '\\') end++;
            else if (character == '"') isText = !isText;
            else if (!isText && character == '{') depth++;
            else if (!isText && character == '}' && --depth == 0) return json.substring(json.indexOf('{', start), end + 1);
        }
        throw new IllegalArgumentException(json);
    }
}
