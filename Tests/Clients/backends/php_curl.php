<?php
// php php_curl.php TOKEN KEYFILE KEY TEAM PORT COUNT
[, $token, $keyFile, $key, $team, , $count] = $argv;

function base64url(string $bytes): string {
    return rtrim(strtr(base64_encode($bytes), "+/", "-_"), "=");
}

// A provider token has the two numbers of the signature, which openssl encodes as a sequence of integers.
function sign(string $text, string $keyFile): string {
    openssl_sign($text, $signature, file_get_contents($keyFile), OPENSSL_ALGO_SHA256);
    $first = ord($signature[3]);
    $numbers = [substr($signature, 4, $first), substr($signature, 6 + $first)];
    return implode(array_map(fn($number) => str_pad(ltrim($number, "\0"), 32, "\0", STR_PAD_LEFT), $numbers));
}

$text = base64url(json_encode(["alg" => "ES256", "kid" => $key])) . "."
    . base64url(json_encode(["iss" => $team, "iat" => time()]));
$bearer = $text . "." . base64url(sign($text, $keyFile));
$connections = curl_share_init();
curl_share_setopt($connections, CURLSHOPT_SHARE, CURL_LOCK_DATA_CONNECT);
$answers = [];
for ($number = 0; $number < $count; $number++) {
    // Every fifth request goes to an unknown device.
    $device = $number % 5 == 4 ? "00ff" : $token;
    $curl = curl_init("https://api.push.apple.com/3/device/$device");
    curl_setopt_array($curl, [CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_0, CURLOPT_RETURNTRANSFER => true,
        CURLOPT_SHARE => $connections, CURLOPT_POSTFIELDS => json_encode(["aps" => ["alert" => "Honk $number"]]),
        CURLOPT_HTTPHEADER => ["authorization: bearer $bearer", "apns-topic: com.example.clowntown",
            "apns-push-type: alert"]]);
    $body = curl_exec($curl);
    $words = curl_error($curl) ?: trim(curl_getinfo($curl, CURLINFO_RESPONSE_CODE) . " $body");
    $answers[$words] = ($answers[$words] ?? 0) + 1;
}
ksort($answers, SORT_STRING);
foreach ($answers as $words => $times) {
    echo "$words: $times\n";
}
