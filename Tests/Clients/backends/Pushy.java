// java Pushy.java TOKEN KEYFILE KEY TEAM PORT COUNT
import com.eatthepath.pushy.apns.*;
import com.eatthepath.pushy.apns.auth.ApnsSigningKey;
import com.eatthepath.pushy.apns.util.*;
import java.io.File;
import java.util.*;
import java.util.concurrent.*;

public class Pushy {
    public static void main(String[] arguments) throws Exception {
        var token = arguments[0];
        var count = Integer.parseInt(arguments[5]);
        var client = new ApnsClientBuilder()
            .setApnsServer("localhost", Integer.parseInt(arguments[4]))
            .setTrustedServerCertificateChain(new File(System.getenv("SSL_CERT_FILE")))
            .setSigningKey(ApnsSigningKey.loadFromPkcs8File(new File(arguments[1]), arguments[3], arguments[2]))
            .build();
        var answers = new TreeMap<String, Integer>();
        var pushes = new ArrayList<Future<PushNotificationResponse<SimpleApnsPushNotification>>>();
        for (int number = 0; number < count; number++) {
            var payload = new ApnsPayloadBuilder().setAlertBody("Honk " + number).build();
            // Every fifth request goes to an unknown device.
            var device = number % 5 == 4 ? "00ff" : token;
            pushes.add(client.sendNotification(new SimpleApnsPushNotification(device, "com.example.clowntown", payload)));
            if (number == 0 || number == count - 1) {
                for (var push : pushes) answers.merge(describe(push), 1, Integer::sum);
                pushes.clear();
            }
        }
        client.close().get();
        answers.forEach((answer, times) -> System.out.println(answer + ": " + times));
    }

    static String describe(Future<PushNotificationResponse<SimpleApnsPushNotification>> push) throws Exception {
        try {
            var answer = push.get();
            return answer.isAccepted() ? "accepted" : answer.getRejectionReason().orElse("rejected")
                + answer.getTokenInvalidationTimestamp().map(time -> " since " + time).orElse("");
        } catch (ExecutionException error) {
            return error.getCause().getClass().getSimpleName();
        }
    }
}
