# ruby rpush.rb TOKEN KEYFILE KEY TEAM PORT COUNT
require "active_record"
require "logger"
require "rails/generators"
require "rpush"
require "tmpdir"
require "generators/rpush_migration_generator"

token, key_file, key, team, _, count = ARGV
# rpush keeps its notifications in a database, here one in a new folder, which its own migrations prepare.
Dir.chdir(Dir.mktmpdir)
at_exit { FileUtils.remove_entry(Dir.pwd) }
ActiveSupport::Deprecation.silenced = true
ActiveRecord::Base.configurations = { "development" => { adapter: "sqlite3", database: "rpush.sqlite" } }
ActiveRecord::Base.establish_connection(:development)
ActiveRecord::Migration.verbose = false
RpushMigrationGenerator.start(["--quiet"])
ActiveRecord::MigrationContext.new("db/migrate", ActiveRecord::SchemaMigration).migrate
Rpush.configure do |config|
  config.client = :active_record
  config.logger = Logger.new("rpush.log")
  config.foreground_logging = false
end
app = Rpush::Apnsp8::App.create!(name: "ios_app", apn_key: File.read(key_file), environment: "production",
                                 apn_key_id: key, team_id: team, bundle_id: "com.example.clowntown", connections: 1)

def send_to(app, devices)
  devices.each { |device| Rpush::Apnsp8::Notification.create!(app: app, device_token: device, alert: "Honk") }
  Rpush.push
end

# Every fifth request goes to an unknown device.
devices = Array.new(count.to_i) { |number| number % 5 == 4 ? "00ff".ljust(64, "0") : token }
send_to(app, devices.take(1))
send_to(app, devices.drop(1)) if devices.length > 1
answers = Rpush::Apnsp8::Notification.all.map do |notification|
  if notification.delivered then "delivered"
  elsif notification.failed then "failed #{notification.error_code} #{notification.error_description}".strip
  else "to be retried"
  end
end
answers.tally.sort.each { |answer, times| puts "#{answer}: #{times}" }
