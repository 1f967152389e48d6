# Sends the mail with Net::SMTP, and requires TLS.
use strict;
use warnings;
use Net::SMTP;

my %tls = (SSL_ca_file => $ENV{MAIL_CA}, SSL_verifycn_name => $ENV{MAIL_HOST});
my $implicit = $ENV{MAIL_SECURITY} eq 'tls';
my $smtp = Net::SMTP->new(Host => $ENV{MAIL_HOST}, Port => $ENV{MAIL_PORT}, $implicit ? (SSL => 1, %tls) : ()) or die "connect: $@";
$implicit or $smtp->starttls(%tls) or die 'starttls: ', $smtp->message;
$smtp->auth($ENV{MAIL_USERNAME}, $ENV{MAIL_PASSWORD}) or die 'auth: ', $smtp->message;
$smtp->mail('app@shop.example') or die $smtp->message;
$smtp->to('ada@customer.example', 'grace@customer.example') or die $smtp->message;
$smtp->cc('team@other.example') or die $smtp->message;
$smtp->bcc('audit@hidden.example', 'log@hidden.example') or die $smtp->message;
$smtp->data("From: app\@shop.example\nTo: ada\@customer.example, grace\@customer.example\nCc: team\@other.example\n"
  . "Subject: $ENV{MAIL_SUBJECT}\n\nYour code is 482913.\n") or die $smtp->message;
$smtp->quit or die $smtp->message;
