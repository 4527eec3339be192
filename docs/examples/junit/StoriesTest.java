// Run in this folder, on Debian 12 with the packages openjdk-17-jdk-headless and junit5:
//
//     export WAYPOST_BIN=../../../.build/bin JUNIT=/usr/share/java/junit-platform-console-standalone.jar
//     javac -d /tmp/stories -cp $JUNIT *.java
//     java -jar $JUNIT --class-path /tmp/stories --scan-class-path

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StoriesTest {
    @RegisterExtension
    final Waypost waypost = new Waypost("../town/devices/ipad.yaml");

    @Test
    @DisplayName("Crusty opens in his own window")
    void opensPreferredScene() {
        waypost.step("""
            {"send": {"to": "iPad", "topic": "com.example.clowntown", "title": "Crusty is near",
              "target-content-id": "https://clowntown.example/clowns/crusty"}}""");
        waypost.step("""
            {"open": {"device": "iPad", "notification": "Crusty is near"},
              "expect": {"scene": "crusty-detail", "reason": "prefers"}}""");
    }

    @Test
    @DisplayName("A link is an argument if the scene is connected, and an option if it connects")
    void deliversLink() {
        waypost.step("""
            {"open": {"device": "iPad", "url": "https://tv.example/shows/lasso"},
              "expect": {"visible": ["watch-now"], "deliveries": ["scene(_:continue:) userActivity.webpageURL"]}}""");
        waypost.step("""
            {"callbacks": {"device": "iPad", "app": "com.example.tv", "cause": "universalLink", "state": "notRunning"},
              "expect": {"deliveries": ["scene.willConnect"], "notCalled": ["scene.continueUserActivity"],
                "findings": []}}""");
    }

    @Test
    @DisplayName("A link needs a pin")
    void showsLinkAfterPin() {
        waypost.step("""
            {"contact": {"device": "iPad", "id": "enrique", "givenName": "Enrique", "handles": ["+14085550101"]}}""");
        waypost.step("""
            {"message": {"device": "iPad", "from": "Enrique", "text": "https://tv.example/shows/lasso"},
              "expect": {"shelf": []}}""");
        waypost.step("""
            {"pin": {"device": "iPad", "link": "https://tv.example/shows/lasso"},
              "expect": {"shelf": ["https://tv.example/shows/lasso"], "attribution": "Enrique"}}""");
    }

    @Test
    @DisplayName("A notification expires while the iPad is offline")
    void dropsExpiredNotification() throws Exception {
        waypost.step("""
            {"network": {"device": "iPad", "state": "off"}}""");
        var id = sendForAnHour("Crusty is near");
        waypost.step("""
            {"expect": {"device": "iPad", "never": {"notification": "Crusty is near"}}}""");
        waypost.step("""
            {"advance": "2h"}""");
        waypost.step("""
            {"network": {"device": "iPad", "state": "on"}}""");
        waypost.step("""
            {"expect": {"device": "iPad", "notification": {"title": "%s", "state": "expired"}}}""".formatted(id));
    }

    @Test
    @DisplayName("Tokens end, and are replaced")
    void replacesTokens() {
        var bakery = "com.example.bakery";
        waypost.step("""
            {"event": {"device": "iPad", "type": "appInstalled",
              "app": {"bundleIdentifier": "com.example.bakery", "tokens": ["app"], "scenes": []}}}""");
        waypost.uninstall("iPad", bakery, Duration.ofHours(1));
        waypost.step("""
            {"send": {"to": "iPad", "topic": "com.example.bakery", "title": "Lost"},
              "expect": {"notification": "dropped"}}""");
        waypost.reinstall("iPad", bakery);
        waypost.step("""
            {"send": {"to": "iPad", "topic": "com.example.bakery", "title": "Bread"},
              "expect": {"notification": "acknowledged"}}""");
        assertNotEquals(waypost.token("iPad"), waypost.rotateToken("iPad", bakery, null));
        waypost.step("""
            {"send": {"to": "iPad", "topic": "com.example.bakery", "previous": true},
              "expect": {"rejected": "Unregistered"}}""");
        waypost.standing("iPad", "expired", bakery, null);
        waypost.update("iPad", bakery);
        waypost.step("""
            {"send": {"to": "iPad", "topic": "com.example.bakery"}, "expect": {"rejected": "ExpiredToken"}}""");

        var first = waypost.token("iPad");
        var restored = (Map<?, ?>) waypost.restoreBackup("iPad", "iPad").get("answer");
        var expected = Map.of("previous", first, "token", waypost.token("iPad"));
        assertEquals(expected, ((List<?>) restored.get("tokens")).get(0));
        assertNotEquals(first, waypost.token("iPad"));
        waypost.step("""
            {"send": {"to": "iPad", "topic": "com.example.bakery", "title": "Bread"},
              "expect": {"notification": "acknowledged"}}""");
    }

    /** Returns a provider token, which a key has signed. */
    private static String providerToken(Waypost.Key key) throws GeneralSecurityException, IOException {
        var encoder = Base64.getUrlEncoder().withoutPadding();
        var head = "{\"alg\": \"ES256\", \"kid\": \"%s\"}".formatted(key.id());
        var claims = "{\"iss\": \"%s\", \"iat\": %d}".formatted(key.team(), Instant.now().getEpochSecond());
        var parts = encoder.encodeToString(head.getBytes()) + "." + encoder.encodeToString(claims.getBytes());
        var pem = Files.readString(key.file()).replaceAll("-----[A-Z ]+-----|\\s", "");
        var signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        var privateKey = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem));
        signature.initSign(KeyFactory.getInstance("EC").generatePrivate(privateKey));
        signature.update(parts.getBytes());
        return parts + "." + encoder.encodeToString(signature.sign());
    }

    /** Sends a notification in a batch, as your back end does, and returns its identifier. */
    private UUID sendForAnHour(String title) throws Exception {
        var id = UUID.randomUUID();
        var item = """
            {"id": "%s", "token": "%s", "topic": "com.example.clowntown", "expiration": %d,
              "payload": {"aps": {"alert": {"title": "%s"}}}}"""
            .formatted(id, waypost.token("iPad"), Instant.now().plusSeconds(3600).getEpochSecond(), title);
        var request = HttpRequest.newBuilder(waypost.gateway("service").resolve("/v1/batches"))
            .header("X-Waypost-Namespace", waypost.namespace())
            .header("Authorization", "bearer " + providerToken(waypost.key()))
            .POST(HttpRequest.BodyPublishers.ofString("[" + item + "]"))
            .build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return id;
    }
}
