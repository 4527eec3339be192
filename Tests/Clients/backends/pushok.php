<?php
// php pushok.php TOKEN KEYFILE KEY TEAM PORT COUNT
require getenv("WAYPOST_CLIENT_SOURCES") . "/vendor/autoload.php";

use Pushok\{AuthProvider\Token, Client, Notification, Payload, Payload\Alert};

[, $token, $keyFile, $key, $team, $port, $count] = $argv;
$provider = Token::create(["key_id" => $key, "team_id" => $team, "app_bundle_id" => "com.example.clowntown",
    "private_key_path" => $keyFile, "private_key_secret" => null]);
$client = new Client($provider, true, [CURLOPT_CONNECT_TO => ["api.push.apple.com:443:127.0.0.1:$port"]]);
$answers = [];
for ($number = 0; $number < $count; $number++) {
    $payload = Payload::create()->setAlert(Alert::create()->setTitle("Honk $number"))->setPushType("alert");
    // Every fifth request goes to an unknown device.
    $client->addNotification(new Notification($payload, $number % 5 == 4 ? "00ff" : $token));
    // The first notification is sent alone.
    if ($number == 0 || $number == $count - 1) {
        try {
            foreach ($client->push() as $answer) {
                $words = trim("{$answer->getStatusCode()} {$answer->getErrorReason()} {$answer->get410Timestamp()}");
                $answers[$words] = ($answers[$words] ?? 0) + 1;
            }
        } catch (Exception $error) {
            $answers[$error->getMessage()] = 1;
        }
    }
}
ksort($answers, SORT_STRING);
foreach ($answers as $words => $times) {
    echo "$words: $times\n";
}
