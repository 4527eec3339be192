import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * <p>All tests of a run share a gateway. docs/stdio.md describes the protocol, and docs/scenarios.md the steps.
 *
 * <pre>{@code @RegisterExtension final Waypost waypost = new Waypost("ipad.yaml");}</pre>
 */
public final class Waypost implements BeforeEachCallback, AfterEachCallback {
    /** The longest wait for an answer, in seconds. It must be longer than 'within' of any step. */
    private static final int TIME_LIMIT = 60;

    private static final AtomicInteger TESTS = new AtomicInteger();

    private final List<String> files;
    private String namespace;
    private Gateway gateway;
    private Program agent;
    private Map<String, String> tokens;
    private int lines;

    /** Describes the devices by their files, whose paths are relative to the working directory. */
    public Waypost(String... files) {
        this.files = List.of(files);
    }

    /**
     * Performs a step, and checks what it expects.
     *
     * @param json a step, on one or several lines
     * @return the answer, with the keys 'actual', 'answer' and 'explanation'
     */
    public Map<?, ?> step(String json) {
        var id = ++lines;
        agent.write(json.strip().replaceFirst("}$", ", \"id\": " + id + "}").replace('\n', ' '));
        var answer = agent.read(line -> isAnswer(line, id), json);
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

    private static String values(List<? extends Map<?, ?>> differences, String format, String... keys) {
        return differences.stream().map(each -> format.formatted(Stream.of(keys).map(each::get).toArray()))
            .collect(Collectors.joining());
    }

    /** Returns whether a line is the answer to a step. An answer to invalid JSON has no identifier. */
    private static boolean isAnswer(Map<?, ?> line, double id) {
        return line.containsKey("outcome") && (line.get("id") == null || line.get("id").equals(id));
    }

    /** Returns the token of a device. */
    public String token(String device) {
        return tokens.get(device);
    }

    /** Returns a URL of the gateway: 'service', 'courier' or 'providerPlaintext'. */
    public URI gateway(String listener) {
        return URI.create((String) gateway.urls.get(listener));
    }

    /** Returns the namespace of the devices, for the header 'X-Waypost-Namespace' of requests to the gateway. */
    public String namespace() {
        return namespace;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        var store = context.getRoot().getStore(ExtensionContext.Namespace.create(Waypost.class));
        gateway = store.getOrComputeIfAbsent(Gateway.class);
        namespace = "test-" + TESTS.incrementAndGet();
        var options = new ArrayList<>(List.of("--stdio", "--clock", "gateway", "--namespace", namespace));
        options.addAll(List.of("--gateway-ready-file", gateway.readyFile.toString()));
        for (var file : files) options.addAll(List.of("--device", file));
        agent = new Program(Program.find("waypost-agent"), options, gateway.folder.resolve(namespace + ".log"));
        var ready = agent.read(line -> line.containsKey("ready"), "start the devices");
        tokens = ((List<?>) ready.get("devices")).stream().map(each -> (Map<?, ?>) each)
            .collect(Collectors.toMap(each -> (String) each.get("name"), each -> (String) each.get("token")));
    }

    /** Checks everything that must never happen, unless the test has failed already, and ends the devices. */
    @Override
    public void afterEach(ExtensionContext context) {
        if (agent == null) return;
        try {
            if (context.getExecutionException().isEmpty()) step("{\"finish\": true}");
        } finally {
            agent.end();
        }
    }

    /** The gateway of all tests of a run. */
    static final class Gateway implements ExtensionContext.Store.CloseableResource {
        final Path folder;
        final Path readyFile;
        final Map<?, ?> urls;
        private final Program program;

        Gateway() throws IOException {
            var path = Program.find("waypost-gateway");
            folder = Files.createTempDirectory("waypost-");
            readyFile = folder.resolve("gateway.json");
            var options = new ArrayList<>(List.of("--store", "memory", "--clock", "manual", "--exit-on-eof"));
            for (var listener : List.of("service", "courier", "provider-plaintext")) {
                options.addAll(List.of("--" + listener, "127.0.0.1:0"));
            }
            options.addAll(List.of("--ready-file", readyFile.toString()));
            program = new Program(path, options, folder.resolve("gateway.log"));
            // It writes the ready file first, and then to standard output.
            program.readLine("start the gateway");
            urls = (Map<?, ?>) new Json(Files.readString(readyFile)).value();
        }

        @Override
        public void close() throws IOException {
            program.end();
            try (var paths = Files.list(folder)) {
                for (var path : paths.toList()) Files.delete(path);
            }
            Files.delete(folder);
        }
    }

    /** A program of Waypost. It ends when its standard input does, so also if the JVM is killed. */
    private static final class Program {
        private static final String END = "";

        private final Path path;
        private final Path log;
        private final Process process;
        private final BlockingQueue<String> output = new LinkedBlockingQueue<>();

        Program(Path path, List<String> options, Path log) {
            this.path = path;
            this.log = log;
            var command = new ArrayList<>(List.of(path.toString()));
            command.addAll(options);
            try {
                process = new ProcessBuilder(command).redirectError(log.toFile()).start();
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

        static Path find(String name) {
            var folders = Stream.of("WAYPOST_BIN", "PATH").map(System::getenv).filter(value -> value != null)
                .flatMap(value -> Stream.of(value.split(File.pathSeparator)));
            var paths = folders.map(folder -> Path.of(folder, name)).filter(Files::isExecutable);
            return paths.findFirst().orElseThrow(() -> new IllegalStateException(
                name + " is not in WAYPOST_BIN (" + System.getenv("WAYPOST_BIN") + ") or on the PATH;"
                    + " run 'make programs' in a clone of Waypost, and set WAYPOST_BIN to its folder .build/bin"));
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

        /** Returns the first line that meets a condition. */
        Map<?, ?> read(Predicate<Map<?, ?>> condition, String action) {
            while (true) {
                var line = (Map<?, ?>) new Json(readLine(action)).value();
                if (condition.test(line)) return line;
            }
        }

        String readLine(String action) {
            try {
                var line = output.poll(TIME_LIMIT, TimeUnit.SECONDS);
                if (line == null) {
                    throw new IllegalStateException("no answer within " + TIME_LIMIT + " seconds: " + action);
                }
                if (line != END) return line;
                var end = path + " has ended with status " + process.waitFor();
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
