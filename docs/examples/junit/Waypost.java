import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.AssertionFailedError;

/**
 * The devices of a test. Copy this file next to your tests; it needs Java 17 and JUnit 5, and nothing else.
 *
 * <p>All tests of a run share a gateway: that whose URL is in the environment variable WAYPOST_GATEWAY or the system
 * property 'waypost.gateway', or else one that they start. They start waypost-agent, or the command in the environment
 * variable WAYPOST_AGENT_COMMAND, such as 'docker exec -i waypost waypost agent'. With
 * WAYPOST_GATEWAY_AUTHENTICATION=token or apns, a back end needs tokens that a key of the gateway has signed.
 * docs/stdio.md describes the protocol, and docs/scenarios.md the steps.
 *
 * <pre>{@code @RegisterExtension final Waypost waypost = new Waypost("ipad.yaml");}</pre>
 */
public final class Waypost implements BeforeEachCallback, AfterEachCallback {
    /** The longest wait for an answer, in seconds. It must be longer than 'within' of any step. */
    private static final int TIME_LIMIT = 60;

    private final List<Path> files;

    private final List<SentText> sentTexts = new ArrayList<>();

    private String namespace;
    private Gateway gateway;
    private Program agent;
    private Map<String, String> tokens;
    private int lines;

    /** Describes the devices by their files, whose paths are relative to the working directory. */
    public Waypost(String... files) {
        this.files = Stream.of(files).map(file -> Path.of(file).toAbsolutePath().normalize()).toList();
    }

    /**
     * Performs a step, and checks what it expects.
     *
     * @param json a step, on one or several lines
     * @return the answer, with the keys 'actual', 'answer' and 'explanation'
     */
    public Map<?, ?> step(String json) {
        var id = ++lines;
        sentTexts.add(new SentText(Path.of("").toAbsolutePath(), json));
        agent.write(json.strip().replaceFirst("}$", ", \"id\": " + id + "}").replace('\n', ' '));
        var answer = read(line -> isAnswer(line, id), json);
        if (answer.get("warning") != null) System.err.println("Waypost: " + answer.get("warning") + "\n" + json);
        if (answer.get("outcome").equals("passed")) return answer;
        if (answer.get("outcome").equals("refused")) {
            throw new IllegalArgumentException(answer.get("message") + "\n" + json);
        }
        var differences = ((List<?>) answer.get("differences")).stream().map(each -> (Map<?, ?>) each).toList();
        var message = new StringBuilder().append(answer.get("message"));
        if (differences.size() > 1) {
            message.append(values(differences, "\n  %s: expected %s, got %s", "field", "expected", "actual"));
        }
        if (answer.get("explanation") != null) message.append("\n\n").append(answer.get("explanation"));
        throw new AssertionFailedError(
            message.toString(),
            values(differences, "%s: %s\n", "field", "expected"),
            values(differences, "%s: %s\n", "field", "actual"));
    }

    /** Removes an app. Senders to its own tokens get 410 from now on. */
    public void uninstall(String device, String app) {
        perform("uninstall", device, "app", app);
    }

    /** Removes an app. Senders to its own tokens get 200 until some time is over, and 410 then. */
    public void uninstall(String device, String app, Duration after) {
        perform("uninstall", device, "app", app, "after", after.toMillis() + "ms");
    }

    /** Installs an app again as it was, with new tokens. If it is there, it is removed before. */
    public void reinstall(String device, String app) {
        perform("reinstall", device, "app", app);
        readToken(device);
    }

    /** Installs an app over itself, as an update does. Its tokens stay. */
    public void update(String device, String app) {
        perform("update", device, "app", app);
    }

    /** Gives a device another token, and returns it. */
    public String rotateToken(String device) {
        return rotateToken(device, null, null);
    }

    /**
     * Gives an app another token of a kind, such as "voip", and returns it.
     *
     * @param app the app, or null for the only one with such a token
     * @param kind the kind, or null for the app's own token
     */
    public String rotateToken(String device, String app, String kind) {
        var answer = perform("rotate-token", device, "app", app, "token", kind);
        readToken(device);
        return (String) ((Map<?, ?>) answer.get("answer")).get("token");
    }

    /**
     * Restores the backup of a device on another one, or on the same: the apps and settings are there, and all tokens
     * are new.
     *
     * @param source the device of the backup
     * @return the answer, whose 'answer' has the tokens
     */
    public Map<?, ?> restoreBackup(String device, String source) {
        var answer = perform("restore-backup", device, "from", source);
        readToken(device);
        return answer;
    }

    /** Changes the answer to senders: 'active', 'unregistered' or 'expired' (410), or 'wrongEnvironment'. */
    public void standing(String device, String state) {
        standing(device, state, null, null);
    }

    /** Changes the answer to senders to a token of an app; both may be null, as in 'rotateToken'. */
    public void standing(String device, String state, String app, String kind) {
        perform("standing", device, "state", state, "app", app, "token", kind);
    }

    /** Performs an action of a device with some keys and their values; those that are null are left out. */
    private Map<?, ?> perform(String action, String device, String... fields) {
        var keys = new StringBuilder("\"device\": " + Json.string(device));
        for (var index = 0; index < fields.length; index += 2) {
            if (fields[index + 1] == null) continue;
            keys.append(", \"").append(fields[index]).append("\": ").append(Json.string(fields[index + 1]));
        }
        return step("{\"" + action + "\": {" + keys + "}}");
    }

    /** Reads the token of a device, which may have changed. */
    private void readToken(String device) {
        var answer = step("{\"call\": {\"at\": " + Json.string(device) + ", \"path\": \"/v1/devices\"}}");
        for (var each : (List<?>) answer.get("answer")) {
            var status = (Map<?, ?>) each;
            if (status.get("name").equals(device) && status.get("token") instanceof String token) {
                tokens.put(device, token);
            }
        }
    }

    private static String values(List<? extends Map<?, ?>> differences, String format, String... keys) {
        return differences.stream().map(each -> format.formatted(Stream.of(keys).map(each::get).toArray()))
            .collect(Collectors.joining());
    }

    /** Sends the agent a file that it has requested: a device file, or one that a sent file or a step names. */
    private void sendFile(String file) {
        String content;
        try {
            var path = Path.of(file).toAbsolutePath().normalize();
            if (!files.contains(path) && sentTexts.stream().noneMatch(sent -> sent.names(path))) {
                throw new IOException("the test does not name it, so the agent does not get it");
            }
            if (!Files.isRegularFile(path)) throw new IOException("there is no such file");
            var text = Files.readString(path);
            sentTexts.add(new SentText(path.getParent(), text));
            content = "\"text\": " + Json.string(text);
        } catch (IOException error) {
            content = "\"problem\": " + Json.string(error.getMessage());
        }
        agent.write("{\"file\": " + Json.string(file) + ", " + content + "}");
    }

    /** A file or a step that was sent, with the folder to which its paths are relative. */
    private record SentText(Path folder, String text) {
        boolean names(Path path) {
            return text.contains(path.toString()) || text.contains(folder.relativize(path).toString());
        }
    }

    /** Returns the first line of the agent that meets a condition. */
    private Map<?, ?> read(Predicate<Map<?, ?>> condition, String action) {
        while (true) {
            var line = (Map<?, ?>) new Json(agent.readLine(action)).value();
            if (condition.test(line)) return line;
            if (line.get("file") instanceof String file) sendFile(file);
        }
    }

    /** Returns whether a line is the answer to a step. An answer to invalid JSON has no identifier. */
    private static boolean isAnswer(Map<?, ?> line, double id) {
        return line.containsKey("outcome") && (line.get("id") == null || line.get("id").equals(id));
    }

    /** Returns the token that a device has now. */
    public String token(String device) {
        return tokens.get(device);
    }

    /** Returns a URL of the gateway: 'service', 'courier', 'provider' or 'providerPlaintext'. */
    public URI gateway(String listener) {
        return URI.create((String) gateway.urls.get(listener));
    }

    /** Returns the certificate that APNs clients trust. */
    public Path certificate() {
        return gateway.certificate;
    }

    /** A key with which a back end signs its tokens: the .p8 file of the private key, its identifier, and its team. */
    public record Key(Path file, String id, String team) {}

    /** Returns a new key that the gateway knows. */
    public Key key() {
        var id = Program.random(5).toUpperCase();
        var key = new Key(gateway.folder.resolve("AuthKey_" + id + ".p8"), id, "TEAM123456");
        gateway.runKeys(key, "create", "--out", key.file.toString());
        return key;
    }

    /** Lets the gateway know a key of your own. */
    public void importKey(Key key) {
        gateway.runKeys(key, "import", key.file.toString());
    }

    /** Returns the namespace of the devices, for the header 'X-Waypost-Namespace' of requests to the gateway. */
    public String namespace() {
        return namespace;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        var store = context.getRoot().getStore(ExtensionContext.Namespace.create(Waypost.class));
        gateway = store.getOrComputeIfAbsent(Gateway.class);
        sentTexts.clear();
        namespace = "test-" + UUID.randomUUID();
        var prefix = System.getenv("WAYPOST_AGENT_COMMAND");
        var command = new ArrayList<String>();
        if (prefix == null || prefix.isBlank()) {
            command.add(Program.find("waypost-agent").toString());
        } else {
            command.addAll(List.of(prefix.strip().split("\\s+")));
            command.add("--request-files");
        }
        command.addAll(List.of("--stdio", "--namespace", namespace));
        command.addAll(gateway.agentOptions);
        for (var file : files) command.addAll(List.of("--device", file.toString()));
        agent = new Program(command, gateway.folder.resolve(namespace + ".log"));
        var ready = read(line -> line.containsKey("ready"), "start the devices");
        tokens = ((List<?>) ready.get("devices")).stream().map(each -> (Map<?, ?>) each)
            .collect(Collectors.toMap(
                each -> (String) each.get("name"), each -> (String) each.get("token"), (first, second) -> second,
                LinkedHashMap::new));
    }

    /** Checks everything that must never happen, unless the test has failed already, and ends the devices. */
    @Override
    public void afterEach(ExtensionContext context) {
        if (agent == null) return;
        try {
            if (context.getExecutionException().isEmpty()) step("{\"finish\": true}");
        } finally {
            agent.end();
            gateway.delete(namespace);
        }
    }

    /** The gateway of all tests of a run. */
    static final class Gateway implements ExtensionContext.Store.CloseableResource {
        final Path folder;
        final Map<Object, Object> urls;
        final Path certificate;
        final List<String> agentOptions;
        private final Program program;

        Gateway() throws IOException {
            var url = System.getProperty("waypost.gateway", System.getenv("WAYPOST_GATEWAY"));
            var path = url == null || url.isBlank() ? Program.find("waypost-gateway") : null;
            folder = Files.createTempDirectory("waypost-");
            if (path != null) {
                var readyFile = folder.resolve("gateway.json");
                program = start(path, readyFile);
                urls = new LinkedHashMap<>((Map<?, ?>) new Json(Files.readString(readyFile)).value());
                certificate = Path.of((String) urls.get("ca"));
                agentOptions = List.of("--gateway-ready-file", readyFile.toString(), "--clock", "gateway");
            } else {
                program = null;
                var service = url.replaceFirst("/$", "");
                var health = (Map<?, ?>) new Json(call(service, "GET", "/health", 10).body()).value();
                urls = new LinkedHashMap<>(health);
                urls.put("service", service);
                var authority = call(service, "GET", "/v1/ca.pem", 10);
                certificate = authority.statusCode() == 200 ? folder.resolve("ca.pem") : null;
                if (certificate != null) Files.writeString(certificate, authority.body());
                var clock = (Map<?, ?>) new Json(call(service, "GET", "/v1/clock", 10).body()).value();
                var source = clock.get("clock").equals("manual") ? "gateway" : "system";
                agentOptions = List.of("--gateway", service, "--clock", source);
            }
        }

        private Program start(Path path, Path readyFile) {
            var command = new ArrayList<>(List.of(path.toString()));
            command.addAll(List.of("--store", "memory", "--clock", "manual", "--exit-on-eof"));
            for (var listener : List.of("service", "courier", "provider", "provider-plaintext")) {
                command.addAll(List.of("--" + listener, "127.0.0.1:0"));
            }
            command.addAll(List.of("--ready-file", readyFile.toString(), "--ca", folder.resolve("ca").toString()));
            var program = new Program(command, folder.resolve("gateway.log"));
            // It writes the ready file first, and then to standard output.
            program.readLine("start the gateway");
            return program;
        }

        /** Runs a command of 'waypost keys'. */
        void runKeys(Key key, String... arguments) {
            var command = new ArrayList<>(List.of(Program.find("waypost").toString(), "keys"));
            command.addAll(List.of(arguments));
            command.addAll(List.of("--id", key.id, "--team", key.team, "--gateway", (String) urls.get("service")));
            new Program(command, folder.resolve("keys.log")).waitForSuccess();
        }

        /** Deletes a namespace, unless the gateway ends with the tests. */
        void delete(String namespace) {
            if (program != null) return;
            try {
                // The first attempt fails if the gateway has closed the connection meanwhile.
                call((String) urls.get("service"), "DELETE", "/v1/namespaces/" + namespace, 2);
            } catch (IllegalStateException error) {
                // The result of the test is what counts.
            }
        }

        private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(Duration.ofSeconds(5)).build();

        /** Calls the service API. A gateway that does not answer yet gets some seconds. */
        private static HttpResponse<String> call(String service, String method, String path, int seconds) {
            var request = HttpRequest.newBuilder(URI.create(service + path)).method(method, BodyPublishers.noBody());
            // A deletion is not repeated, so a busy gateway gets more time for it.
            request.timeout(Duration.ofSeconds(method.equals("DELETE") ? 30 : 5));
            var token = System.getenv("WAYPOST_ADMIN_TOKEN");
            if (token != null && !token.isEmpty()) request.header("Authorization", "Bearer " + token);
            var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            while (true) {
                try {
                    var response = CLIENT.send(request.build(), BodyHandlers.ofString());
                    var status = response.statusCode();
                    var isJson = response.headers().firstValue("content-type").orElse("").contains("json");
                    if (path.equals("/health") && !isJson) {
                        throw new IllegalStateException(service + " is not a gateway: its answer is not JSON");
                    }
                    if (status < 300 || status == 404 && !path.equals("/health")) return response;
                    throw new IllegalStateException("the gateway " + service + " answered " + status + " to " + path
                        + ": " + response.body());
                } catch (IOException error) {
                    if (System.nanoTime() > end) {
                        throw new IllegalStateException("the gateway " + service + " cannot be reached", error);
                    }
                } catch (InterruptedException error) {
                    throw interruption(error);
                }
                try {
                    Thread.sleep(100);
                } catch (InterruptedException error) {
                    throw interruption(error);
                }
            }
        }

        private static IllegalStateException interruption(InterruptedException error) {
            Thread.currentThread().interrupt();
            return new IllegalStateException("interrupted", error);
        }

        @Override
        public void close() throws IOException {
            if (program != null) program.end();
            try (var paths = Files.walk(folder)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
            }
        }
    }

    /** A program of Waypost. It ends when its standard input does, so also if the JVM is killed. */
    private static final class Program {
        private static final String END = "";

        /** The administrative token of a gateway that the tests start, which needs it only with authentication. */
        private static final String ADMIN_TOKEN = random(32);

        private final String name;
        private final Path log;
        private final Process process;
        private final BlockingQueue<String> output = new LinkedBlockingQueue<>();

        Program(List<String> command, Path log) {
            this.name = command.get(0);
            this.log = log;
            try {
                var builder = new ProcessBuilder(command).redirectError(log.toFile());
                builder.environment().merge("WAYPOST_ADMIN_TOKEN", ADMIN_TOKEN, (own, made) -> own.isEmpty() ? made : own);
                process = builder.start();
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
            var reader = new Thread(() -> {
                try (var lines = process.inputReader(UTF_8).lines()) {
                    lines.forEach(output::add);
                } finally {
                    output.add(END);
                }
            });
            reader.setDaemon(true);
            reader.start();
        }

        /** Returns random bytes in hexadecimal. */
        static String random(int count) {
            var bytes = new byte[count];
            new SecureRandom().nextBytes(bytes);
            return HexFormat.of().formatHex(bytes);
        }

        /** Waits for the end of a command, which must succeed. */
        void waitForSuccess() {
            try {
                if (process.waitFor(TIME_LIMIT, TimeUnit.SECONDS) && process.exitValue() == 0) return;
                throw new IllegalStateException(Files.readString(log).strip());
            } catch (InterruptedException | IOException error) {
                throw new IllegalStateException(name, error);
            }
        }

        static Path find(String name) {
            var folders = Stream.of("WAYPOST_BIN", "PATH").map(System::getenv).filter(value -> value != null)
                .flatMap(value -> Stream.of(value.split(File.pathSeparator)));
            var paths = folders.map(folder -> Path.of(folder, name)).filter(Files::isExecutable);
            return paths.findFirst().orElseThrow(() -> new IllegalStateException(
                name + " is not in WAYPOST_BIN (" + System.getenv("WAYPOST_BIN") + ") or on the PATH;"
                    + " install the package of Waypost, or set WAYPOST_BIN to the folder of its programs"));
        }

        void write(String line) {
            try {
                var writer = process.outputWriter(UTF_8);
                writer.write(line + "\n");
                writer.flush();
            } catch (IOException error) {
                // The program has ended, which the next read reports.
            }
        }

        String readLine(String action) {
            try {
                var line = output.poll(TIME_LIMIT, TimeUnit.SECONDS);
                if (line == null) {
                    throw new IllegalStateException("no answer within " + TIME_LIMIT + " seconds: " + action);
                }
                if (line != END) return line;
                var end = name + " has ended with status " + process.waitFor();
                throw new IllegalStateException(end + "\n" + Files.readString(log).strip());
            } catch (InterruptedException | IOException error) {
                throw new IllegalStateException(action, error);
            }
        }

        void end() {
            try {
                process.outputWriter(UTF_8).close();
                if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly();
            } catch (InterruptedException | IOException error) {
                process.destroyForcibly();
            }
        }
    }

    /** A reader of JSON, which the JDK does not have. Objects become maps, arrays lists, and numbers doubles. */
    private static final class Json {
        private static final Pattern WORD = Pattern.compile("[^\\s,\\]}]+");

        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            switch (next()) {
                case '{' -> {
                    var members = new LinkedHashMap<String, Object>();
                    readElements('}', () -> {
                        var key = string();
                        next();
                        at++; // the colon
                        members.put(key, value());
                    });
                    return members;
                }
                case '[' -> {
                    var elements = new ArrayList<Object>();
                    readElements(']', () -> elements.add(value()));
                    return elements;
                }
                case '"' -> {
                    return string();
                }
                default -> {
                    var word = WORD.matcher(text);
                    word.find(at);
                    at = word.end();
                    return switch (word.group()) {
                        case "true", "false" -> Boolean.valueOf(word.group());
                        case "null" -> null;
                        default -> Double.valueOf(word.group());
                    };
                }
            }
        }

        private void readElements(char end, Runnable readElement) {
            at++;
            while (next() != end) {
                readElement.run();
                if (next() == ',') at++;
            }
            at++;
        }

        /** Skips white space, and returns the character after it. */
        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        /** Returns a string as JSON. */
        static String string(String value) {
            var json = new StringBuilder("\"");
            for (var character : value.toCharArray()) {
                if (character == '"' || character == '\\') json.append('\\').append(character);
                else if (character < ' ') json.append("\\u%04x".formatted((int) character));
                else json.append(character);
            }
            return json.append('"').toString();
        }

        private String string() {
            var string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') {
                    string.append(text.charAt(at));
                    continue;
                }
                var escaped = text.charAt(++at);
                if (escaped == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    var index = "bfnrt".indexOf(escaped);
                    string.append(index < 0 ? escaped : "\b\f\n\r\t".charAt(index));
                }
            }
            at++;
            return string.toString();
        }
    }
}
