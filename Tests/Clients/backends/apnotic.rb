# ruby apnotic.rb TOKEN KEYFILE KEY TEAM PORT COUNT
require "apnotic"

token, key_file, key, team, port, count = ARGV
connection = Apnotic::Connection.new(url: "https://localhost:#{port}", auth_method: :token, cert_path: key_file,
                                     key_id: key, team_id: team)
answers = Hash.new(0)
connection.on(:error) { |error| answers[error.message] += 1 }
count.to_i.times do |number|
  # Every fifth request goes to an unknown device.
  notification = Apnotic::Notification.new(number % 5 == 4 ? "00ff" : token)
  notification.alert = "Honk #{number}"
  notification.topic = "com.example.clowntown"
  notification.push_type = "alert"
  # An asynchronous push can lose its answer: two threads of net-http2 race if the answer arrives at once.
  response = connection.push(notification, timeout: 10)
  reason = response.ok? ? [] : response.body.values_at("reason", "timestamp").compact if response
  answers[[response&.status || "no answer", *reason].join(" ")] += 1
end
connection.close
answers.sort.each { |answer, times| puts "#{answer}: #{times}" }
